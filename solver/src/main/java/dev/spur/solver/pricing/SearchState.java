package dev.spur.solver.pricing;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.ClusterIndex;
import dev.spur.solver.candidate.NodeClass;
import dev.spur.solver.constraint.RestartLimit;
import dev.spur.solver.group.GroupCaps;
import dev.spur.solver.placement.HostUnits;
import dev.spur.solver.quota.QuotaSystem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Plan in arrays with the residual capacity of every constraint, for a search with many small changes. It never exceeds
 * a capacity. The restart limit is counted but not enforced.
 */
final class SearchState {
    private static final int[] NO_NODES = {};

    final CandidateSet candidates;
    final CouplingConstraints rows;
    private final ClusterIndex hardware;
    /** Candidate by job; -1 for waiting. */
    final int[] choice;
    /** Nodes by job: one for each piece. */
    final int[][] nodes;
    /** Jobs whose candidate does not change: pinned ones, and those with a commitment. */
    final boolean[] fixed;

    /** Pieces by candidate; those of a kept candidate are in the order of its allocation. */
    final int[][] pieces;

    final int[] slots;
    final double[] value;
    final int[] nodeClass;
    private final int[][] keptNodes;
    private final long[] cpusPerSlot;
    private final long[] memoryPerSlot;

    private final int[] free;
    private final long[] cpus;
    private final long[] memory;
    private final BitSet[][] byFree;
    final int[][] classNodes;
    /** Jobs on each node; a job with several pieces on a node is listed once for each. */
    private final int[][] residents;

    private final int[] residentCount;

    /** Account by candidate; -1 without a quota. */
    private final int[] account;

    private final int[] parent;
    private final long[] reserved;
    private final long[] limit;
    private final long[] use;
    /** Running jobs below each account. */
    private final int[][] accountJobs;

    private final int[] accountJobCount;
    /** Position of each job in the lists of its accounts, by depth. */
    private final int[][] position;

    private final int[] capOf;
    private final long[] capSlots;
    private final long[] capJobs;
    private final long[] capSlotsUsed;
    private final long[] capJobsUsed;
    private final int[][] capMembers;

    private final int[] pool;
    private final long[] aggregation;
    private final long[] aggregationLeft;

    final int restartLimit;
    private int restarts;
    private double objective;

    SearchState(CouplingConstraints rows) {
        this.rows = rows;
        this.candidates = rows.candidates();
        this.hardware = candidates.hardware();
        int jobs = candidates.jobs();
        int count = candidates.size();
        choice = new int[jobs];
        Arrays.fill(choice, -1);
        nodes = new int[jobs][];
        Arrays.fill(nodes, NO_NODES);
        fixed = new boolean[jobs];
        pieces = new int[count][];
        slots = new int[count];
        value = new double[count];
        nodeClass = new int[count];
        keptNodes = new int[jobs][];
        cpusPerSlot = new long[count];
        memoryPerSlot = new long[count];
        RestartLimit limits = RestartLimit.of(candidates);
        restartLimit = limits.limit();
        for (int j = 0; j < jobs; j++) {
            fixed[j] = candidates.isPinned(j) || !rows.mayWait(j);
            keptNodes[j] = NO_NODES;
            restarts += candidates.kept(j) >= 0 && !candidates.isPinned(j) ? 1 : 0;
        }
        for (int c = 0; c < count; c++) {
            Candidate candidate = candidates.get(c);
            HostDemand demand = candidates.host(candidate);
            cpusPerSlot[c] = HostUnits.demand(demand.cpusPerSlot());
            memoryPerSlot[c] = HostUnits.demand(demand.memoryGiBPerSlot());
            slots[c] = candidate.slots();
            value[c] = rows.worth(c);
            nodeClass[c] = candidate.nodeClass();
            pieces[c] = candidate.kept() ? keptPieces(candidate.job()) : pieces(candidate);
        }
        List<Node> all = hardware.nodes();
        free = all.stream().mapToInt(Node::slots).toArray();
        cpus = all.stream().mapToLong(node -> HostUnits.supply(node.cpus())).toArray();
        memory = all.stream()
                .mapToLong(node -> HostUnits.supply(node.memoryGiB()))
                .toArray();
        residents = new int[all.size()][4];
        residentCount = new int[all.size()];
        List<NodeClass> classes = hardware.classes();
        byFree = new BitSet[classes.size()][];
        classNodes = new int[classes.size()][];
        for (NodeClass each : classes) {
            BitSet[] own = new BitSet[each.slotsPerNode() + 1];
            Arrays.setAll(own, i -> new BitSet());
            each.nodes().forEach(v -> own[free[v]].set(v));
            byFree[each.index()] = own;
            classNodes[each.index()] =
                    each.nodes().stream().mapToInt(Integer::intValue).toArray();
        }
        List<QuotaSystem.Account> accounts = new ArrayList<>();
        List<Integer> parents = new ArrayList<>();
        Map<String, Map<String, Integer>> accountOf = new HashMap<>();
        candidates.quotas().accounts().forEach(each -> addAccount(each, -1, accounts, parents, accountOf));
        parent = parents.stream().mapToInt(Integer::intValue).toArray();
        reserved = accounts.stream().mapToLong(QuotaSystem.Account::kept).toArray();
        limit = accounts.stream().mapToLong(QuotaSystem.Account::limit).toArray();
        use = new long[parent.length];
        for (int a = parent.length - 1; a >= 0; a--) {
            if (parent[a] >= 0) {
                use[parent[a]] += Math.max(reserved[a], use[a]);
            }
        }
        accountJobs = new int[parent.length][8];
        accountJobCount = new int[parent.length];
        position = new int[depth()][jobs];
        account = new int[count];
        List<GroupCaps.Cap> caps = candidates.groups().all();
        Map<GroupCaps.Cap, Integer> capIndex = new HashMap<>();
        caps.forEach(cap -> capIndex.put(cap, capIndex.size()));
        capSlots = caps.stream().mapToLong(GroupCaps.Cap::slots).toArray();
        capJobs = caps.stream().mapToLong(GroupCaps.Cap::jobs).toArray();
        capSlotsUsed = new long[capSlots.length];
        capJobsUsed = new long[capSlots.length];
        capOf = new int[jobs];
        List<List<Integer>> members = new ArrayList<>();
        caps.forEach(cap -> members.add(new ArrayList<>()));
        for (int j = 0; j < jobs; j++) {
            GroupCaps.Cap cap = candidates.groups().of(candidates.job(j));
            capOf[j] = cap == null ? -1 : capIndex.getOrDefault(cap, -1);
            if (capOf[j] >= 0) {
                members.get(capOf[j]).add(j);
            }
        }
        capMembers = members.stream()
                .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
                .toArray(int[][]::new);
        Map<String, Integer> pools = new HashMap<>();
        pool = new int[count];
        aggregation = new long[count];
        for (int c = 0; c < count; c++) {
            Candidate candidate = candidates.get(c);
            account[c] = accountOf
                    .getOrDefault(candidate.configuration().acceleratorType(), Map.of())
                    .getOrDefault(candidates.job(candidate.job()).tenant(), -1);
            aggregation[c] = candidates.isPinned(candidate.job())
                    ? 0
                    : candidate.configuration().aggregationThousandths();
            pool[c] = aggregation[c] == 0
                    ? -1
                    : pools.computeIfAbsent(candidate.configuration().pool(), any -> pools.size());
        }
        aggregationLeft = new long[pools.size()];
        pools.forEach((name, index) -> aggregationLeft[index] = candidates.aggregationThousandths(name));
    }

    private static int addAccount(
            QuotaSystem.Account from,
            int above,
            List<QuotaSystem.Account> accounts,
            List<Integer> parents,
            Map<String, Map<String, Integer>> accountOf) {
        int index = accounts.size();
        accounts.add(from);
        parents.add(above);
        from.tenants()
                .forEach(tenant -> accountOf
                        .computeIfAbsent(from.type(), type -> new HashMap<>())
                        .put(tenant, index));
        from.accounts().forEach(below -> addAccount(below, index, accounts, parents, accountOf));
        return index;
    }

    private int depth() {
        int deepest = 0;
        for (int a = 0; a < parent.length; a++) {
            int depth = 0;
            for (int at = a; at >= 0; at = parent[at]) {
                depth++;
            }
            deepest = Math.max(deepest, depth);
        }
        return deepest;
    }

    private int[] keptPieces(int j) {
        Allocation held = candidates.job(j).allocation();
        List<NodeShare> placement = held == null ? List.of() : held.placement();
        keptNodes[j] = placement.stream()
                .mapToInt(piece -> hardware.indexOf(piece.node()))
                .toArray();
        return placement.stream().mapToInt(NodeShare::slots).toArray();
    }

    private static int[] pieces(Candidate candidate) {
        return candidate.configuration().shape().stream()
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** Takes over {@code plan}, which satisfies all constraints. */
    void load(PartialSolution plan) {
        for (int j = 0; j < choice.length; j++) {
            int c = plan.choiceOf(j);
            if (c >= 0) {
                putOn(
                        j,
                        c,
                        c == candidates.kept(j)
                                ? keptNodes[j]
                                : plan.nodesOf(j).stream()
                                        .mapToInt(Integer::intValue)
                                        .toArray());
            }
        }
    }

    /** Returns the plan with the given choice and nodes. */
    PartialSolution toPlan(int[] chosen, int[][] on) {
        PartialSolution plan = new PartialSolution(candidates);
        for (int j = 0; j < chosen.length; j++) {
            if (chosen[j] >= 0 && candidates.isPinned(j)) {
                plan.putOn(chosen[j], List.of());
            }
        }
        for (int j = 0; j < chosen.length; j++) {
            if (chosen[j] >= 0 && !candidates.isPinned(j)) {
                plan.putOn(chosen[j], Arrays.stream(on[j]).boxed().toList());
            }
        }
        return plan;
    }

    double objective() {
        return objective;
    }

    int restarts() {
        return restarts;
    }

    int kept(int j) {
        return candidates.kept(j);
    }

    int[] keptNodes(int j) {
        return keptNodes[j];
    }

    int residentCount(int v) {
        return residentCount[v];
    }

    int resident(int v, int i) {
        return residents[v][i];
    }

    int free(int v) {
        return free[v];
    }

    /** Returns whether node {@code v} has {@code piece} free slots and the host resources for them. */
    boolean holds(int v, int piece, int c) {
        return free[v] >= piece
                && Math.max(0, cpus[v]) >= piece * cpusPerSlot[c]
                && Math.max(0, memory[v]) >= piece * memoryPerSlot[c];
    }

    /** Returns the value that the rest of node {@code v} loses by a piece of candidate {@code c}. */
    double lostValue(ResidualValue values, int v, int piece, int c) {
        return values.ofUnits(free[v], cpus[v], memory[v])
                - values.ofUnits(
                        free[v] - piece, cpus[v] - piece * cpusPerSlot[c], memory[v] - piece * memoryPerSlot[c]);
    }

    /** Returns whether node {@code v} holds the piece once {@code evicted} jobs, by position, have left it. */
    boolean holdsWithout(int v, int piece, int c, long evicted) {
        int slotsLeft = free[v];
        long cpusLeft = cpus[v];
        long memoryLeft = memory[v];
        for (int i = 0; i < residentCount[v]; i++) {
            if ((evicted >> i & 1) != 0) {
                int x = choice[residents[v][i]];
                int own = pieceOn(residents[v][i], v);
                slotsLeft += own;
                cpusLeft += own * cpusPerSlot[x];
                memoryLeft += own * memoryPerSlot[x];
            }
        }
        return slotsLeft >= piece
                && Math.max(0, cpusLeft) >= piece * cpusPerSlot[c]
                && Math.max(0, memoryLeft) >= piece * memoryPerSlot[c];
    }

    private int pieceOn(int j, int v) {
        int sum = 0;
        for (int i = 0; i < nodes[j].length; i++) {
            sum += nodes[j][i] == v ? pieces[choice[j]][i] : 0;
        }
        return sum;
    }

    /** Nodes of class {@code k} with exactly {@code slots} free slots. Not to be modified. */
    BitSet nodesWithFree(int k, int slots) {
        return byFree[k][slots];
    }

    int slotsPerNode(int k) {
        return byFree[k].length - 1;
    }

    long cpuUnits(int v) {
        return cpus[v];
    }

    long memoryUnits(int v) {
        return memory[v];
    }

    /** Returns the account whose limit forbids candidate {@code c}; -1 if none does. */
    int blockingAccount(int c) {
        long more = slots[c];
        for (int a = account[c]; a >= 0 && more > 0; a = parent[a]) {
            if (use[a] + more > limit[a]) {
                return a;
            }
            more = Math.max(reserved[a], use[a] + more) - Math.max(reserved[a], use[a]);
        }
        return -1;
    }

    int accountJobCount(int a) {
        return accountJobCount[a];
    }

    int accountJob(int a, int i) {
        return accountJobs[a][i];
    }

    /** Returns whether the cap of the group of job {@code j} forbids candidate {@code c}. */
    boolean capForbids(int j, int c) {
        int g = capOf[j];
        return g >= 0 && (capSlotsUsed[g] + slots[c] > capSlots[g] || capJobsUsed[g] + 1 > capJobs[g]);
    }

    /** Returns the jobs under the cap of job {@code j}. */
    int[] capMembers(int j) {
        return capOf[j] < 0 ? NO_NODES : capMembers[capOf[j]];
    }

    /** Returns whether quotas, cap and aggregation allow candidate {@code c} to the waiting job {@code j}. */
    boolean limitsAllow(int j, int c) {
        return blockingAccount(c) < 0
                && !capForbids(j, c)
                && (pool[c] < 0 || aggregation[c] <= aggregationLeft[pool[c]]);
    }

    /** Returns whether the nodes of the kept candidate of job {@code j} hold it. */
    boolean keptFits(int j) {
        int c = candidates.kept(j);
        for (int i = 0; i < keptNodes[j].length; i++) {
            if (!holds(keptNodes[j][i], pieces[c][i], c)) {
                return false;
            }
        }
        return true;
    }

    /** Gives the waiting job {@code j} candidate {@code c} on {@code on}, which must fit. */
    void putOn(int j, int c, int[] on) {
        choice[j] = c;
        nodes[j] = on;
        for (int i = 0; i < on.length; i++) {
            take(j, on[i], pieces[c][i], c, 1);
        }
        book(j, c, 1);
    }

    /** Removes job {@code j}, which then waits. */
    void remove(int j) {
        int c = choice[j];
        if (c < 0) {
            return;
        }
        for (int i = 0; i < nodes[j].length; i++) {
            take(j, nodes[j][i], pieces[c][i], c, -1);
        }
        book(j, c, -1);
        choice[j] = -1;
        nodes[j] = NO_NODES;
    }

    private void take(int j, int v, int piece, int c, int sign) {
        int k = hardware.classOf(v);
        int left = free[v] - sign * piece;
        if (k >= 0) {
            if (free[v] >= 0) {
                byFree[k][free[v]].clear(v);
            }
            if (left >= 0) {
                byFree[k][left].set(v);
            }
        }
        free[v] = left;
        cpus[v] -= (long) sign * piece * cpusPerSlot[c];
        memory[v] -= (long) sign * piece * memoryPerSlot[c];
        if (sign > 0) {
            if (residentCount[v] == residents[v].length) {
                residents[v] = Arrays.copyOf(residents[v], 2 * residentCount[v]);
            }
            residents[v][residentCount[v]++] = j;
        } else {
            int i = residentCount[v] - 1;
            while (residents[v][i] != j) {
                i--;
            }
            residents[v][i] = residents[v][--residentCount[v]];
        }
    }

    private void book(int j, int c, int sign) {
        long more = (long) sign * slots[c];
        int depth = 0;
        for (int a = account[c]; a >= 0; a = parent[a]) {
            long before = Math.max(reserved[a], use[a]);
            use[a] += more;
            more = Math.max(reserved[a], use[a]) - before;
            if (sign > 0) {
                if (accountJobCount[a] == accountJobs[a].length) {
                    accountJobs[a] = Arrays.copyOf(accountJobs[a], 2 * accountJobCount[a]);
                }
                position[depth][j] = accountJobCount[a];
                accountJobs[a][accountJobCount[a]++] = j;
            } else {
                int at = position[depth][j];
                int last = accountJobs[a][--accountJobCount[a]];
                accountJobs[a][at] = last;
                position[depthOf(last, a)][last] = at;
            }
            depth++;
        }
        int g = capOf[j];
        if (g >= 0) {
            capSlotsUsed[g] += (long) sign * slots[c];
            capJobsUsed[g] += sign;
        }
        if (pool[c] >= 0) {
            aggregationLeft[pool[c]] -= sign * aggregation[c];
        }
        if (c == candidates.kept(j) && !candidates.isPinned(j)) {
            restarts -= sign;
        }
        objective += sign * value[c];
    }

    /** Returns the number of accounts between that of the running job {@code j} and {@code a}. */
    private int depthOf(int j, int a) {
        int depth = 0;
        for (int at = account[choice[j]]; at != a; at = parent[at]) {
            depth++;
        }
        return depth;
    }

    /** Returns the nodes for a waiting job's candidate at the least cost; null if it does not fit. */
    int @Nullable [] cheapestNodes(int c, PieceCosts costs) {
        int[] own = pieces[c];
        int[] found = new int[own.length];
        for (int i = 0; i < own.length; i++) {
            found[i] = costs.cheapest(nodeClass[c], own[i], c, found, i);
            if (found[i] < 0) {
                return null;
            }
        }
        return found;
    }

    /** Costs of pieces on nodes. */
    interface PieceCosts {
        /**
         * Returns the cheapest node of class {@code k} that holds {@code piece}; -1 if none does.
         *
         * @param taken nodes that other pieces use, the first {@code count} of the array
         */
        int cheapest(int k, int piece, int c, int[] taken, int count);
    }
}
