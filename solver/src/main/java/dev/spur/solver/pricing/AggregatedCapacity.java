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
import dev.spur.solver.dual.GubProgramBuilder;
import dev.spur.solver.placement.ResidualCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;

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
    private final ResidualCluster left;
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
        left = ResidualCluster.withoutPinned(candidates);
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

    private void addPieceRows(ConstraintList rows, ResidualCluster left) {
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
        if (!binds(candidates, nodeClass, demand, supply)) {
            return -1;
        }
        double capacity =
                nodeClass.nodes().stream().mapToDouble(left::applyAsDouble).sum();
        return rows.add(key.apply(nodeClass.name()), capacity);
    }

    /** Returns whether CPUs or memory of some host may be short. */
    static boolean hostsBind(CandidateSet candidates) {
        return candidates.hardware().classes().stream()
                .anyMatch(nodeClass -> cpusBind(candidates, nodeClass) || memoryBinds(candidates, nodeClass));
    }

    /** Returns whether CPUs of some host of the class may be short. */
    static boolean cpusBind(CandidateSet candidates, NodeClass nodeClass) {
        return binds(candidates, nodeClass, HostDemand::cpusPerSlot, Node::cpus);
    }

    /** Returns whether memory of some host of the class may be short. */
    static boolean memoryBinds(CandidateSet candidates, NodeClass nodeClass) {
        return binds(candidates, nodeClass, HostDemand::memoryGiBPerSlot, Node::memoryGiB);
    }

    private static boolean binds(
            CandidateSet candidates,
            NodeClass nodeClass,
            ToDoubleFunction<HostDemand> demand,
            ToDoubleFunction<Node> supply) {
        double perSlot = nodeClass.nodes().stream()
                .mapToDouble(
                        v -> supply.applyAsDouble(candidates.hardware().nodes().get(v)) / nodeClass.slotsPerNode())
                .min()
                .orElse(0);
        return candidates.problem().jobs().stream().anyMatch(job -> most(job, demand) > perSlot);
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
    public double cpuPrice(int k, double[] prices) {
        return cpuRow[k] < 0 ? 0 : prices[cpuRow[k]];
    }

    @Override
    public double memoryPrice(int k, double[] prices) {
        return memoryRow[k] < 0 ? 0 : prices[memoryRow[k]];
    }

    @Override
    public double slotPrice(int k, double[] prices) {
        int slots = hardware.classes().get(k).slotsPerNode();
        return slots == 0 ? 0 : price(k, slots, HostDemand.NONE, prices) / slots;
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
    public double slots() {
        return hardware.classes().stream().mapToInt(left::slots).sum();
    }

    @Override
    public int nodes() {
        return hardware.classes().stream()
                .mapToInt(nodeClass -> nodeClass.nodes().size())
                .sum();
    }

    @Override
    public boolean isEnumerated() {
        return true;
    }

    @Override
    public void forEachRow(CapacityRow consumer) {
        for (NodeClass nodeClass : hardware.classes()) {
            int k = nodeClass.index();
            for (int s = 0; s < sizes[k].length; s++) {
                consumer.accept(firstRow[k] + s, sizes[k][s]);
            }
            if (cpuRow[k] >= 0 && nodeClass.cpus() > 0) {
                consumer.accept(cpuRow[k], nodeClass.slotsPerNode() / nodeClass.cpus());
            }
            if (memoryRow[k] >= 0 && nodeClass.memoryGiB() > 0) {
                consumer.accept(memoryRow[k], nodeClass.slotsPerNode() / nodeClass.memoryGiB());
            }
        }
    }

    @Override
    public void addSets(GubProgramBuilder builder) {
        // The rows have a capacity.
    }

    @Override
    public ResidualValue[] residualValues(double[] prices) {
        return hardware.classes().stream()
                .map(nodeClass -> new ResidualValue(List.of(), kind -> 0))
                .toArray(ResidualValue[]::new);
    }

    @Override
    public List<Subproblem> blocks() {
        return List.of();
    }
}
