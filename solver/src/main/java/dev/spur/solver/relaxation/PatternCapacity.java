package dev.spur.solver.relaxation;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.ClusterIndex;
import dev.spur.solver.candidate.HostLimits;
import dev.spur.solver.candidate.NodeAccess;
import dev.spur.solver.candidate.NodeAtom;
import dev.spur.solver.candidate.NodeClass;
import dev.spur.solver.dual.GubProgramBuilder;
import dev.spur.solver.placement.ResidualCapacity;
import dev.spur.solver.placement.ResidualCluster;
import dev.spur.solver.resource.NodeShareKind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;

/**
 * Relaxation of node capacity by packing patterns. For each class of nodes and kind of piece, used pieces <= cut
 * pieces.
 *
 * <p>Subproblems decide the patterns node by node, so that the relaxation respects the capacity of single nodes
 * (Gilmore and Gomory, "A linear programming approach to the cutting-stock problem", 1961). Pieces of allocations that
 * could be kept count as movable.
 */
public final class PatternCapacity {
    /** Consumer of a row of node capacity. */
    @FunctionalInterface
    interface CapacityRow {
        /**
         * @param typicalSlots number of slots that a unit of the row typically stands for
         * @param isInner whether each unit also counts in a row of more nodes
         */
        void accept(int row, double typicalSlots, boolean isInner);
    }

    private final List<NodeClassPatterns> byClass = new ArrayList<>();
    /** Host resources that may be short, by class. */
    private final List<HostLimits> limits;

    private final ClusterIndex clusterIndex;
    private final ResidualCluster residualCluster;
    private final double slots;
    private final int nodes;

    PatternCapacity(CandidateSet candidates, ConstraintList constraints) {
        this.clusterIndex = candidates.clusterIndex();
        this.limits = clusterIndex.classes().stream()
                .map(nodeClass -> HostLimits.of(candidates, nodeClass))
                .toList();
        List<Set<NodeShareKind>> found = pieces(candidates);
        this.residualCluster = ResidualCapacity.withoutPinned(candidates).cluster();
        this.slots =
                clusterIndex.classes().stream().mapToInt(residualCluster::slots).sum();
        this.nodes = clusterIndex.classes().stream()
                .mapToInt(nodeClass -> nodeClass.nodes().size())
                .sum();
        for (NodeClass nodeClass : clusterIndex.classes()) {
            byClass.add(new NodeClassPatterns(
                    nodeClass,
                    limits.get(nodeClass.index()),
                    found.get(nodeClass.index()),
                    residualCluster,
                    constraints));
        }
    }

    /** Returns the number of slots without those of pinned jobs. */
    double slots() {
        return slots;
    }

    /** Returns the number of nodes. */
    int nodes() {
        return nodes;
    }

    /** Returns whether all packing patterns of all nodes are enumerated. */
    boolean isEnumerated() {
        return byClass.stream()
                .flatMap(own -> own.subproblems().stream())
                .allMatch(NodePackingSubproblem::isEnumerated);
    }

    /** Returns whether CPUs or memory of some host may be short. */
    boolean hostsBind() {
        return limits.stream().anyMatch(own -> own.cpus() || own.memory());
    }

    /** Returns whether pieces on nodes of some class have many accesses. */
    boolean hasManyAccesses() {
        return byClass.stream().anyMatch(own -> own.accesses() > PieceKinds.MANY_ACCESSES);
    }

    /** Calls {@code row} with each row. */
    void forEachRow(CapacityRow row) {
        byClass.forEach(own -> own.forEachRow(row));
    }

    /** Adds the sets of nodes, with a member for each packing pattern. */
    void addSets(GubProgramBuilder builder) {
        byClass.forEach(own -> own.subproblems().forEach(block -> block.addSet(builder)));
    }

    /** Returns by class the kinds of pieces that candidates use. */
    private List<Set<NodeShareKind>> pieces(CandidateSet candidates) {
        List<Set<NodeShareKind>> found = new ArrayList<>();
        clusterIndex.classes().forEach(nodeClass -> found.add(new LinkedHashSet<>()));
        for (int c = 0; c < candidates.size(); c++) {
            Candidate candidate = candidates.get(c);
            HostDemand demand = candidates.host(candidate);
            if (!candidate.isRetained()) {
                int k = candidate.nodeClass();
                int last = 0;
                for (int size : candidate.configuration().shape()) {
                    if (size != last) {
                        found.get(k).add(kind(k, size, candidate.parts(), demand, candidate.access()));
                    }
                    last = size;
                }
            } else if (!candidates.isPinned(candidate.job())) {
                Allocation heldAllocation = candidates.job(candidate.job()).allocation();
                for (NodeShare share : heldAllocation == null ? List.<NodeShare>of() : heldAllocation.placement()) {
                    int v = clusterIndex.indexOf(share.node());
                    int k = clusterIndex.classOf(v);
                    if (k >= 0) {
                        found.get(k).add(kind(k, share.slots(), candidate.parts(), demand, clusterIndex.accessOf(v)));
                    }
                }
            }
        }
        return found;
    }

    private NodeShareKind kind(int k, int size, int parts, HostDemand demand, NodeAccess access) {
        return new NodeShareKind(size, parts, limits.get(k).binding(demand), access);
    }

    /**
     * Adds to {@code matrix} the use of rows by the pieces of one job, all on nodes of {@code access} in class k.
     *
     * @param parts parts that it takes of each device
     * @param demand host demand of each slot
     */
    void addPieces(
            int k, List<Integer> pieces, int parts, HostDemand demand, NodeAccess access, SparseMatrixBuilder matrix) {
        int from = 0;
        for (int to = 1; to <= pieces.size(); to++) {
            if (to == pieces.size() || !pieces.get(to).equals(pieces.get(from))) {
                NodeShareKind kind = kind(k, pieces.get(from), parts, demand, access);
                for (int row : byClass.get(k).rows(kind)) {
                    matrix.add(row, (to - from) * byClass.get(k).amount(row, pieces.get(from)));
                }
                from = to;
            }
        }
    }

    /**
     * Returns the price of one piece on the nodes of {@code access} in class {@code k}; it takes {@code parts} of a
     * device.
     */
    public double price(int k, int piece, int parts, HostDemand demand, NodeAccess access, double[] prices) {
        double price = 0;
        for (int row : byClass.get(k).rows(kind(k, piece, parts, demand, access))) {
            price += prices[row] * byClass.get(k).amount(row, piece);
        }
        return price;
    }

    /** Returns the price of a slot of {@code atom}: the value of a node divided by its slots. */
    double slotPrice(NodeAtom atom, double[] prices) {
        ResidualValue values = residualValue(atom, prices);
        return mean(atom, v -> residualCluster.slots(v) == 0 ? 0 : value(values, v, 0, 0) / residualCluster.slots(v));
    }

    /** Returns the price of a host CPU of {@code atom}. */
    double cpuPrice(NodeAtom atom, double[] prices) {
        return meanGain(atom, maxPerSlot(atom, Node::cpus), 0, prices);
    }

    /** Returns the price of a GiB of host memory of {@code atom}. */
    double memoryPrice(NodeAtom atom, double[] prices) {
        return meanGain(atom, 0, maxPerSlot(atom, Node::memoryGiB), prices);
    }

    private double maxPerSlot(NodeAtom atom, ToDoubleFunction<Node> amount) {
        return atom.nodes().stream()
                .map(clusterIndex.nodes()::get)
                .mapToDouble(node -> amount.applyAsDouble(node) / node.slots())
                .max()
                .orElse(0);
    }

    /** Returns the mean gain of a node by more CPUs or more memory, per CPU or GiB. */
    private double meanGain(NodeAtom atom, double cpus, double memory, double[] prices) {
        if (cpus + memory <= 0) {
            return 0;
        }
        ResidualValue values = residualValue(atom, prices);
        return mean(atom, v -> value(values, v, cpus, memory) - value(values, v, 0, 0)) / (cpus + memory);
    }

    private double value(ResidualValue values, int v, double moreCpus, double moreMemory) {
        return values.of(
                residualCluster.slots(v), residualCluster.cpus(v) + moreCpus, residualCluster.memory(v) + moreMemory);
    }

    private static double mean(NodeAtom atom, IntToDoubleFunction byNode) {
        return atom.nodes().stream()
                .mapToDouble(byNode::applyAsDouble)
                .average()
                .orElse(0);
    }

    private ResidualValue residualValue(NodeAtom atom, double[] prices) {
        return byClass.get(atom.nodeClass()).residualValue(atom.index(), prices);
    }

    /**
     * Returns an upper bound on the value of node {@code v} of class {@code k} at {@code prices}: of its slots, CPUs
     * and memory without those of pinned jobs.
     */
    public double worthOfNode(int k, int v, double[] prices) {
        return byClass.get(k).mostOn(v, prices);
    }

    /** Returns by atom the value of remaining capacity at {@code prices}. */
    ResidualValue[] residualValues(double[] prices) {
        return clusterIndex.atoms().stream()
                .map(atom -> residualValue(atom, prices))
                .toArray(ResidualValue[]::new);
    }

    /** Returns the subproblems that cut nodes into pieces. */
    List<Subproblem> blocks() {
        List<Subproblem> subproblems = new ArrayList<>();
        byClass.forEach(patterns -> subproblems.addAll(patterns.subproblems()));
        return subproblems;
    }
}
