package dev.spur.solver.placement;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.ClusterIndex;
import dev.spur.solver.candidate.NodeClass;
import dev.spur.solver.group.GroupLedger;
import dev.spur.solver.quota.QuotaLedger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Residual cluster while jobs are placed one by one: slots, CPU and memory of each node, aggregation of each pool,
 * quotas, caps of groups. It answers whether and where a candidate still fits.
 */
public final class ResidualCluster {
    private static final double TOLERANCE = 1e-9;
    /** Equal cost of all nodes that hold a share. */
    public static final PieceCost FREE = (k, v, size, demand) -> 0;

    private final CandidateSet candidates;
    private final ClusterIndex hardware;
    private final FreeSlotIndex freeNodes;
    private final int[] slots;
    private final double[] cpus;
    private final double[] memory;
    private final Map<String, Long> aggregation = new HashMap<>();
    private final QuotaLedger quotas;
    private final GroupLedger groups;

    /** Creates the empty cluster, regardless of node states: a kept job may be on a node that accepts no jobs. */
    public ResidualCluster(CandidateSet candidates) {
        this.candidates = candidates;
        this.hardware = candidates.hardware();
        freeNodes = new FreeSlotIndex(hardware);
        List<Node> nodes = hardware.nodes();
        slots = nodes.stream().mapToInt(Node::slots).toArray();
        cpus = nodes.stream().mapToDouble(Node::cpus).toArray();
        memory = nodes.stream().mapToDouble(Node::memoryGiB).toArray();
        candidates
                .problem()
                .pools()
                .forEach(pool -> aggregation.put(pool.name(), candidates.aggregationThousandths(pool.name())));
        quotas = new QuotaLedger(candidates.quotas());
        groups = new GroupLedger(candidates.groups());
    }

    /** Returns the resources that pinned jobs leave. */
    public static ResidualCluster withoutPinned(CandidateSet candidates) {
        ResidualCluster room = new ResidualCluster(candidates);
        for (int j = 0; j < candidates.jobs(); j++) {
            Allocation held = candidates.job(j).allocation();
            if (held != null && candidates.isPinned(j)) {
                room.occupy(j, held);
            }
        }
        return room;
    }

    /** Returns the empty cluster with unlimited hosts, for a caller that counts them itself. */
    public static ResidualCluster withoutHosts(CandidateSet candidates) {
        ResidualCluster room = new ResidualCluster(candidates);
        Arrays.fill(room.cpus, Double.POSITIVE_INFINITY);
        Arrays.fill(room.memory, Double.POSITIVE_INFINITY);
        return room;
    }

    /** Free slots of node {@code v}. */
    public int slots(int v) {
        return slots[v];
    }

    /** Returns the free host CPUs of node {@code v}; 0 also where pinned jobs exceed the host. */
    public double cpus(int v) {
        return Math.max(0, cpus[v]);
    }

    /** Returns the free host memory of node {@code v}, GiB; 0 also where pinned jobs exceed the host. */
    public double memory(int v) {
        return Math.max(0, memory[v]);
    }

    /** Free slots over the nodes of a class. */
    public int slots(NodeClass nodeClass) {
        return freeNodes.slots(nodeClass.index());
    }

    /** Returns the nodes of the class with exactly {@code free} free slots; not to be changed. */
    BitSet nodesWith(NodeClass nodeClass, int free) {
        return freeNodes.with(nodeClass.index(), free);
    }

    /** Returns the free thousandths of aggregation slots of a pool, for jobs that may move. */
    public long aggregation(String pool) {
        return aggregation.getOrDefault(pool, 0L);
    }

    /** Returns whether the quotas allow {@code candidate}. */
    public boolean quotaAllows(Candidate candidate) {
        return quotas.allows(job(candidate).tenant(), candidate.configuration().acceleratorType(), candidate.slots());
    }

    /** Returns whether the cap of its job's group allows {@code candidate}. */
    public boolean groupAllows(Candidate candidate) {
        return groups.allows(job(candidate), candidate.slots());
    }

    /** Returns whether quotas and the cap of its job's group allow {@code candidate}. */
    public boolean limitsAllow(Candidate candidate) {
        return quotaAllows(candidate) && groupAllows(candidate);
    }

    /** Returns the ledger of the quotas. */
    public QuotaLedger quotas() {
        return quotas;
    }

    /** Returns the ledger of the groups. */
    public GroupLedger groups() {
        return groups;
    }

    /** Returns whether the pool has enough free aggregation for {@code candidate}. */
    public boolean aggregationAllows(Candidate candidate) {
        long needed = candidate.configuration().aggregationThousandths();
        return needed == 0 || needed <= aggregation(candidate.configuration().pool());
    }

    /** Cost of a share on a node that holds it, in addition to the slots. */
    @FunctionalInterface
    public interface PieceCost {
        /**
         * Returns the cost, at least 0, of a share of {@code size} slots, each with {@code demand}, on node {@code v}
         * of class {@code k}.
         */
        double of(int k, int v, int size, HostDemand demand);
    }

    /**
     * Places a fresh candidate by best fit; returns a node per share of its shape, or an empty list if it does not fit.
     */
    public List<Integer> place(Candidate candidate) {
        return place(candidate, FREE);
    }

    /**
     * Places a fresh candidate at minimum cost; returns a node per share of its shape, or an empty list if it does not
     * fit.
     */
    public List<Integer> place(Candidate candidate, PieceCost cost) {
        if (!limitsAllow(candidate) || !aggregationAllows(candidate)) {
            return List.of();
        }
        List<Integer> nodes = nodesFor(candidate, candidates.host(candidate), cost);
        if (!nodes.isEmpty()) {
            shift(candidate, nodes, 1);
        }
        return nodes;
    }

    /** Places a fresh candidate on {@code nodes}, a node per share of its shape, which must hold it. */
    public void placeOn(Candidate candidate, List<Integer> nodes) {
        shift(candidate, nodes, 1);
    }

    /** Removes a fresh candidate that {@link #place} has placed on {@code nodes}. */
    public void remove(Candidate candidate, List<Integer> nodes) {
        shift(candidate, nodes, -1);
    }

    /** Blocks node {@code v} for further jobs; returns the number of slots that were free. */
    public int block(int v) {
        int free = slots[v];
        freeNodes.move(v, free, 0);
        slots[v] = 0;
        return free;
    }

    private void shift(Candidate candidate, List<Integer> nodes, int sign) {
        List<Integer> shape = candidate.configuration().shape();
        for (int i = 0; i < nodes.size(); i++) {
            take(nodes.get(i), sign * shape.get(i), candidates.host(candidate));
        }
        book(candidate.job(), candidate.configuration(), sign);
    }

    /**
     * Keeps a candidate on its devices, if slots and host are still free and quotas, caps and aggregation allow it, or
     * if the job is pinned; returns whether it is kept.
     */
    public boolean tryKeep(Candidate candidate) {
        Allocation held = job(candidate).allocation();
        if (held == null || !(candidates.isPinned(candidate.job()) || mayKeep(candidate, held))) {
            return false;
        }
        shiftKept(candidate, held, 1);
        return true;
    }

    /** Removes a kept candidate. */
    public void removeKept(Candidate candidate) {
        Allocation held = job(candidate).allocation();
        if (held != null) {
            shiftKept(candidate, held, -1);
        }
    }

    private void shiftKept(Candidate candidate, Allocation held, int sign) {
        for (NodeShare piece : held.placement()) {
            take(hardware.indexOf(piece.node()), sign * piece.slots(), candidates.host(candidate));
        }
        book(candidate.job(), candidate.configuration(), sign);
    }

    private boolean mayKeep(Candidate candidate, Allocation held) {
        HostDemand demand = candidates.host(candidate);
        return limitsAllow(candidate)
                && aggregationAllows(candidate)
                && held.placement().stream()
                        .allMatch(piece -> holds(hardware.indexOf(piece.node()), piece.slots(), demand));
    }

    /** Returns one node per share of the candidate's shape, in its order, by best fit; empty if there are none. */
    public List<Integer> nodesFor(Candidate candidate) {
        return nodesFor(candidate, candidates.host(candidate));
    }

    /** Returns the same with {@code demand} per slot. */
    public List<Integer> nodesFor(Candidate candidate, HostDemand demand) {
        return nodesFor(candidate, demand, FREE);
    }

    private List<Integer> nodesFor(Candidate candidate, HostDemand demand, PieceCost cost) {
        List<Integer> found = new ArrayList<>();
        for (int piece : candidate.configuration().shape()) {
            int best = cheapestThatHolds(candidate.nodeClass(), piece, demand, found, cost);
            if (best < 0) {
                return List.of();
            }
            found.add(best);
        }
        return found;
    }

    /** Returns the cheapest node that holds the share; among equally cheap ones the fullest. */
    private int cheapestThatHolds(int k, int piece, HostDemand demand, List<Integer> taken, PieceCost cost) {
        int most = hardware.classes().get(k).slotsPerNode();
        int best = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int free = piece; free <= most && least > TOLERANCE; free++) {
            BitSet nodes = freeNodes.with(k, free);
            for (int v = nodes.nextSetBit(0); v >= 0 && least > TOLERANCE; v = nodes.nextSetBit(v + 1)) {
                if (holds(v, piece, demand) && !taken.contains(v)) {
                    double own = cost.of(k, v, piece, demand);
                    if (own < least) {
                        least = own;
                        best = v;
                    }
                }
            }
        }
        return best;
    }

    /** Returns whether node {@code v} has {@code piece} free slots and the host resources for them. */
    public boolean holds(int v, int piece, HostDemand demand) {
        return slots[v] >= piece
                && cpus(v) + TOLERANCE >= piece * demand.cpusPerSlot()
                && memory(v) + TOLERANCE >= piece * demand.memoryGiBPerSlot();
    }

    /** Books the resources of {@code given}, an allocation of job {@code j}. */
    public void occupy(int j, Allocation given) {
        Job job = candidates.job(j);
        for (NodeShare piece : given.placement()) {
            take(hardware.indexOf(piece.node()), piece.slots(), job.spec().hostIn(given.configuration()));
        }
        book(j, given.configuration(), 1);
    }

    /** Takes a share of {@code piece} slots from node {@code v}; returns it if {@code piece} is negative. */
    void take(int v, int piece, HostDemand demand) {
        freeNodes.move(v, slots[v], slots[v] - piece);
        slots[v] -= piece;
        cpus[v] -= piece * demand.cpusPerSlot();
        memory[v] -= piece * demand.memoryGiBPerSlot();
    }

    private void book(int j, Configuration configuration, int sign) {
        quotas.add(candidates.job(j).tenant(), configuration.acceleratorType(), sign * configuration.slots());
        if (sign > 0) {
            groups.add(candidates.job(j), configuration.slots());
        } else {
            groups.remove(candidates.job(j), configuration.slots());
        }
        long thousandths = configuration.aggregationThousandths();
        if (thousandths != 0 && !candidates.isPinned(j)) {
            aggregation.merge(configuration.pool(), -sign * thousandths, Long::sum);
        }
    }

    private Job job(Candidate candidate) {
        return candidates.job(candidate.job());
    }
}
