package dev.spur.solver.pricing;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Piece;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.Hardware;
import dev.spur.solver.candidate.NodeClass;
import dev.spur.solver.placement.GreedyFill;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.quota.QuotaSystem;
import dev.spur.solver.quota.QuotaSystem.Account;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * States the rows that couple jobs, for a candidate set and the obligations of the round.
 *
 * <p>For each class of nodes and each size s of a piece: sum of floor(piece / s) <= sum over nodes of floor(free / s). That
 * holds for any pieces, since floors of parts add up to at most the floor of the sum; with s = 1 it counts slots.
 */
final class CouplingRowsBuilder {
    private final CandidateSet candidates;
    private final Hardware hardware;
    private final List<CouplingRows.Row> rows = new ArrayList<>();
    private final List<CouplingRows.Claim> claims = new ArrayList<>();
    /** Sizes of pieces by class, each with a row from {@code firstRow[class]} on. */
    private final int[][] sizes;

    private final int[] firstRow;
    private final Map<String, Integer> aggregationRow = new HashMap<>();
    private final int[] cpuRow;
    private final int[] memoryRow;
    /** Rows in which a slot of a type counts for a tenant. */
    private final Map<String, Map<String, List<Integer>>> quotaRows = new HashMap<>();

    private int restartRow = -1;
    private int restartLimit = Integer.MAX_VALUE;

    private CouplingRowsBuilder(CandidateSet candidates) {
        this.candidates = candidates;
        this.hardware = candidates.hardware();
        int classes = hardware.classes().size();
        sizes = new int[classes][];
        firstRow = new int[classes];
        cpuRow = new int[classes];
        memoryRow = new int[classes];
    }

    /** The rows; a job with an obligation may only be offered what meets it, and may not wait. */
    static CouplingRows build(CandidateSet candidates, List<Obligation> owed) {
        CouplingRowsBuilder builder = new CouplingRowsBuilder(candidates);
        builder.addPieceRows();
        builder.addAggregationRows();
        Arrays.fill(builder.cpuRow, -1);
        Arrays.fill(builder.memoryRow, -1);
        for (NodeClass nodeClass : candidates.hardware().classes()) {
            int k = nodeClass.index();
            builder.cpuRow[k] = builder.addHostRow(nodeClass, "cpus", HostDemand::cpusPerSlot, Node::cpus);
            builder.memoryRow[k] =
                    builder.addHostRow(nodeClass, "memory", HostDemand::memoryGiBPerSlot, Node::memoryGiB);
        }
        new QuotaSystem(candidates.problem()).accounts().forEach(account -> builder.addQuota(account, List.of()));
        builder.addRestartRow();
        return builder.finish(owed);
    }

    private int add(String name, double capacity) {
        rows.add(new CouplingRows.Row(name, capacity));
        return rows.size() - 1;
    }

    private void addPieceRows() {
        List<TreeSet<Integer>> found = new ArrayList<>();
        hardware.classes().forEach(nodeClass -> found.add(new TreeSet<>(List.of(1))));
        for (int c = 0; c < candidates.size(); c++) {
            Candidate candidate = candidates.get(c);
            if (!candidate.kept()) {
                found.get(candidate.nodeClass())
                        .addAll(candidate.configuration().shape());
            }
        }
        int[] taken = slotsThatMustStay();
        for (NodeClass nodeClass : hardware.classes()) {
            int k = nodeClass.index();
            sizes[k] = found.get(k).stream().mapToInt(Integer::intValue).toArray();
            firstRow[k] = rows.size();
            for (int size : sizes[k]) {
                int places = nodeClass.nodes().stream()
                        .mapToInt(v -> (nodeClass.slotsPerNode() - taken[v]) / size)
                        .sum();
                String pieces = size == 1 ? "" : " in pieces of " + size;
                add(
                        "slots:" + nodeClass.pool() + "/" + nodeClass.acceleratorType() + pieces + suffix(nodeClass),
                        places);
            }
        }
    }

    private int[] slotsThatMustStay() {
        int[] taken = new int[hardware.nodes().size()];
        for (int j = 0; j < candidates.jobs(); j++) {
            Allocation held = candidates.job(j).allocation();
            if (candidates.mustStay(j) && held != null) {
                for (Piece piece : held.placement()) {
                    taken[hardware.indexOf(piece.node())] += piece.slots();
                }
            }
        }
        return taken;
    }

    /** Tells classes of the same pool and type apart. */
    private String suffix(NodeClass nodeClass) {
        long alike = hardware.classes().stream()
                .filter(other -> other.pool().equals(nodeClass.pool())
                        && other.acceleratorType().equals(nodeClass.acceleratorType()))
                .count();
        return alike == 1
                ? ""
                : " (nodes like "
                        + hardware.nodes().get(nodeClass.nodes().get(0)).id() + ")";
    }

    private void addAggregationRows() {
        for (int c = 0; c < candidates.size(); c++) {
            String pool = candidates.get(c).configuration().pool();
            if (candidates.get(c).configuration().aggregationThousandths() > 0 && !aggregationRow.containsKey(pool)) {
                aggregationRow.put(pool, add("aggregation:" + pool, candidates.aggregationThousandths(pool) / 1000.0));
            }
        }
    }

    private int addHostRow(
            NodeClass nodeClass, String what, ToDoubleFunction<HostDemand> demand, ToDoubleFunction<Node> supply) {
        double[] left = new double[hardware.nodes().size()];
        double perSlot = Double.POSITIVE_INFINITY;
        for (int v : nodeClass.nodes()) {
            left[v] = supply.applyAsDouble(hardware.nodes().get(v));
            perSlot = Math.min(perSlot, left[v] / nodeClass.slotsPerNode());
        }
        double least = perSlot;
        boolean binds = candidates.problem().jobs().stream()
                .anyMatch(job -> demand.applyAsDouble(job.spec().host()) > least);
        if (!binds) {
            return -1;
        }
        for (int j = 0; j < candidates.jobs(); j++) {
            Allocation held = candidates.job(j).allocation();
            if (candidates.mustStay(j) && held != null) {
                double each = demand.applyAsDouble(candidates.job(j).spec().host());
                held.placement().forEach(piece -> left[hardware.indexOf(piece.node())] -= piece.slots() * each);
            }
        }
        double capacity = nodeClass.nodes().stream()
                .mapToDouble(v -> Math.max(0, left[v]))
                .sum();
        return add(what + ":" + nodeClass.pool() + "/" + nodeClass.acceleratorType() + suffix(nodeClass), capacity);
    }

    /** Adds the rows of an account and those below it; {@code above}: rows in which whatever it uses counts as well. */
    private void addQuota(Account account, List<Integer> above) {
        List<Integer> own = new ArrayList<>(above);
        if (account.limit() < Integer.MAX_VALUE) {
            own.add(add("quota:" + account.name() + "/" + account.type(), (double) account.limit()));
        }
        if (own.isEmpty() && account.accounts().isEmpty()) {
            return;
        }
        for (String tenant : account.tenants()) {
            quotaRows.computeIfAbsent(tenant, t -> new HashMap<>()).put(account.type(), own);
        }
        for (Account below : account.accounts()) {
            int cover = add("claim:" + below.name() + "/" + below.type(), 0);
            claims.add(new CouplingRows.Claim(cover, own, (double) below.kept()));
            addQuota(below, List.of(cover));
        }
    }

    private void addRestartRow() {
        Integer limit = candidates.problem().settings().maxRestarts();
        if (limit == null) {
            return;
        }
        int[] repaired = GreedyFill.repaired(candidates);
        int keepable = 0;
        for (int j = 0; j < candidates.jobs(); j++) {
            if (candidates.kept(j) >= 0) {
                if (repaired[j] < 0) {
                    return;
                }
                keepable += candidates.mustStay(j) ? 0 : 1;
            }
        }
        restartLimit = limit;
        restartRow = add("restarts", limit - keepable);
    }

    private CouplingRows finish(List<Obligation> owed) {
        Entries entries = new Entries(candidates.size());
        boolean[] offered = new boolean[candidates.size()];
        boolean[] mayWait = new boolean[candidates.jobs()];
        Arrays.fill(offered, true);
        for (int j = 0; j < candidates.jobs(); j++) {
            mayWait[j] = !candidates.mustStay(j);
        }
        for (Obligation obligation : owed) {
            int j = obligation.job();
            mayWait[j] = false;
            Arrays.fill(offered, candidates.first(j), candidates.end(j), false);
            obligation.candidates().forEach(c -> offered[c] = true);
        }
        for (int c = 0; c < candidates.size(); c++) {
            addEntries(candidates.get(c), entries);
            entries.endCandidate();
        }
        return new CouplingRows(candidates, rows, claims, entries, offered, mayWait, restartLimit);
    }

    private void addEntries(Candidate candidate, Entries entries) {
        int j = candidate.job();
        String type = candidate.configuration().acceleratorType();
        if (!candidates.mustStay(j)) {
            if (candidate.kept()) {
                addKeptPieces(j, entries);
            } else {
                addPieces(candidate.nodeClass(), candidate.configuration().shape(), entries);
                addHost(candidate.nodeClass(), candidate.slots(), j, entries);
            }
            Integer aggregation = aggregationRow.get(candidate.configuration().pool());
            if (aggregation != null) {
                entries.add(aggregation, candidate.configuration().aggregationThousandths() / 1000.0);
            }
            if (candidate.kept() && restartRow >= 0) {
                entries.add(restartRow, -1);
            }
        }
        List<Integer> quotas =
                quotaRows.getOrDefault(candidates.job(j).tenant(), Map.of()).get(type);
        if (quotas != null) {
            quotas.forEach(row -> entries.add(row, candidate.slots()));
        }
    }

    private void addKeptPieces(int j, Entries entries) {
        Allocation held = candidates.job(j).allocation();
        Map<Integer, List<Integer>> byClass = new HashMap<>();
        for (Piece piece : held == null ? List.<Piece>of() : held.placement()) {
            byClass.computeIfAbsent(hardware.classOf(hardware.indexOf(piece.node())), k -> new ArrayList<>())
                    .add(piece.slots());
        }
        byClass.forEach((k, pieces) -> {
            if (k >= 0) {
                addPieces(k, pieces, entries);
                addHost(k, pieces.stream().mapToInt(Integer::intValue).sum(), j, entries);
            }
        });
    }

    private void addPieces(int k, List<Integer> pieces, Entries entries) {
        for (int s = 0; s < sizes[k].length; s++) {
            int places = 0;
            for (int piece : pieces) {
                places += piece / sizes[k][s];
            }
            entries.add(firstRow[k] + s, places);
        }
    }

    private void addHost(int k, int slots, int j, Entries entries) {
        HostDemand demand = candidates.job(j).spec().host();
        if (cpuRow[k] >= 0) {
            entries.add(cpuRow[k], slots * demand.cpusPerSlot());
        }
        if (memoryRow[k] >= 0) {
            entries.add(memoryRow[k], slots * demand.memoryGiBPerSlot());
        }
    }
}
