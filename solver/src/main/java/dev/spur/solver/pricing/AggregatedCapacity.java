package dev.spur.solver.pricing;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.ClusterIndex;
import dev.spur.solver.candidate.NodeClass;
import dev.spur.solver.candidate.NodeClassName;
import dev.spur.solver.constraint.ResourceKey;
import dev.spur.solver.placement.ResidualCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Relaxation of node capacity with few rows per class of nodes.
 *
 * <p>For each size s of a piece: sum of floor(piece / s) <= sum over nodes of floor(free / s). This is valid for any
 * pieces, because floors of parts add up to at most the floor of the sum. With s = 1 the row counts slots.
 *
 * <p>Where CPUs or memory of hosts may be short, one row each limits them over all nodes of the class.
 */
final class AggregatedCapacity implements CapacityRelaxation {
    private final CandidateSet candidates;
    private final ClusterIndex hardware;
    private final ResidualCapacity left;
    /** Sizes of pieces by class; size i of {@code class} has row {@code firstRow[class]} + i. */
    private final int[][] sizes;

    private final int[] firstRow;
    private final int[] cpuRow;
    private final int[] memoryRow;

    AggregatedCapacity(CandidateSet candidates, ConstraintList rows) {
        this.candidates = candidates;
        this.hardware = candidates.hardware();
        int classes = hardware.classes().size();
        sizes = new int[classes][];
        firstRow = new int[classes];
        cpuRow = new int[classes];
        memoryRow = new int[classes];
        left = new ResidualCapacity(candidates);
        addPieceRows(rows, left);
        for (NodeClass nodeClass : hardware.classes()) {
            int k = nodeClass.index();
            cpuRow[k] = addHostRow(
                    nodeClass, ResourceKey.HostCpus::new, HostDemand::cpusPerSlot, Node::cpus, left::cpus, rows);
            memoryRow[k] = addHostRow(
                    nodeClass,
                    ResourceKey.HostMemory::new,
                    HostDemand::memoryGiBPerSlot,
                    Node::memoryGiB,
                    left::memory,
                    rows);
        }
    }

    private void addPieceRows(ConstraintList rows, ResidualCapacity left) {
        List<TreeSet<Integer>> found = new ArrayList<>();
        hardware.classes().forEach(nodeClass -> found.add(new TreeSet<>(List.of(1))));
        for (int c = 0; c < candidates.size(); c++) {
            Candidate candidate = candidates.get(c);
            if (!candidate.kept()) {
                found.get(candidate.nodeClass())
                        .addAll(candidate.configuration().shape());
            }
        }
        for (NodeClass nodeClass : hardware.classes()) {
            int k = nodeClass.index();
            sizes[k] = found.get(k).stream().mapToInt(Integer::intValue).toArray();
            for (int i = 0; i < sizes[k].length; i++) {
                int size = sizes[k][i];
                int places = nodeClass.nodes().stream()
                        .mapToInt(v -> left.slots(v) / size)
                        .sum();
                ResourceKey key = size == 1
                        ? new ResourceKey.Slots(nodeClass.name())
                        : new ResourceKey.SlotPieces(nodeClass.name(), size);
                int row = rows.add(key, places);
                firstRow[k] = row - i;
            }
        }
    }

    private int addHostRow(
            NodeClass nodeClass,
            Function<NodeClassName, ResourceKey> key,
            ToDoubleFunction<HostDemand> demand,
            ToDoubleFunction<Node> supply,
            IntToDoubleFunction left,
            ConstraintList rows) {
        double perSlot = nodeClass.nodes().stream()
                .mapToDouble(v -> supply.applyAsDouble(hardware.nodes().get(v)) / nodeClass.slotsPerNode())
                .min()
                .orElse(0);
        boolean binds = candidates.problem().jobs().stream().anyMatch(job -> most(job, demand) > perSlot);
        if (!binds) {
            return -1;
        }
        double capacity =
                nodeClass.nodes().stream().mapToDouble(left::applyAsDouble).sum();
        return rows.add(key.apply(nodeClass.name()), capacity);
    }

    /**
     * Returns the maximum demand of a slot of {@code job}: the requested or the granted demand, whichever is larger.
     */
    private static double most(Job job, ToDoubleFunction<HostDemand> demand) {
        Allocation held = job.allocation();
        double stated = demand.applyAsDouble(job.spec().host());
        return held == null
                ? stated
                : Math.max(stated, demand.applyAsDouble(job.spec().hostIn(held.configuration())));
    }

    @Override
    public void addPieces(int k, List<Integer> pieces, HostDemand demand, SparseMatrixBuilder entries) {
        int slots = 0;
        for (int piece : pieces) {
            slots += piece;
        }
        for (int s = 0; s < sizes[k].length; s++) {
            int places = 0;
            for (int piece : pieces) {
                places += piece / sizes[k][s];
            }
            entries.add(firstRow[k] + s, places);
        }
        if (cpuRow[k] >= 0) {
            entries.add(cpuRow[k], slots * demand.cpusPerSlot());
        }
        if (memoryRow[k] >= 0) {
            entries.add(memoryRow[k], slots * demand.memoryGiBPerSlot());
        }
    }

    @Override
    public double price(int k, int piece, HostDemand demand, double[] prices) {
        double price = 0;
        for (int s = 0; s < sizes[k].length; s++) {
            int places = piece / sizes[k][s];
            price += places * prices[firstRow[k] + s];
        }
        price += cpuRow[k] < 0 ? 0 : prices[cpuRow[k]] * piece * demand.cpusPerSlot();
        return price + (memoryRow[k] < 0 ? 0 : prices[memoryRow[k]] * piece * demand.memoryGiBPerSlot());
    }

    @Override
    public double worthOfNode(int k, int v, double[] prices) {
        double worth = 0;
        for (int s = 0; s < sizes[k].length; s++) {
            int places = left.slots(v) / sizes[k][s];
            worth += places * prices[firstRow[k] + s];
        }
        worth += cpuRow[k] < 0 ? 0 : prices[cpuRow[k]] * left.cpus(v);
        return worth + (memoryRow[k] < 0 ? 0 : prices[memoryRow[k]] * left.memory(v));
    }

    @Override
    public ResidualCluster.PieceCost costOn(ResidualCluster room, double[] prices) {
        return ResidualCluster.FREE;
    }

    @Override
    public List<Subproblem> blocks() {
        return List.of();
    }

    @Override
    public void startFrom(CapacityRelaxation other, double[] prices, double[] start) {
        // These rows are coarse, so that their names stay the same between rounds.
    }

    /**
     * Returns whether CPUs or memory of some host may be short. Sums over nodes then allow more than single nodes hold.
     */
    boolean hostsBind() {
        return IntStream.of(cpuRow).anyMatch(r -> r >= 0)
                || IntStream.of(memoryRow).anyMatch(r -> r >= 0);
    }
}
