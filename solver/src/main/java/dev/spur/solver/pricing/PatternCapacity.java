package dev.spur.solver.pricing;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.ClusterIndex;
import dev.spur.solver.candidate.NodeClass;
import dev.spur.solver.constraint.NodeShareKind;
import dev.spur.solver.dual.GubProgramBuilder;
import dev.spur.solver.placement.ResidualCluster;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntToDoubleFunction;

/**
 * Relaxation of node capacity by packing patterns. For each class of nodes and kind of piece, used pieces <= cut
 * pieces.
 *
 * <p>Subproblems decide the patterns node by node, so that the relaxation respects the capacity of single nodes
 * (Gilmore and Gomory, "A linear programming approach to the cutting-stock problem", 1961). Pieces of allocations that
 * could be kept count as movable.
 */
final class PatternCapacity implements CapacityRelaxation {
    private final List<NodeClassPatterns> byClass = new ArrayList<>();
    private final ClusterIndex hardware;
    private final ResidualCluster left;
    private final double slots;
    private final int nodes;

    PatternCapacity(CandidateSet candidates, ConstraintList rows) {
        this.hardware = candidates.hardware();
        List<Set<NodeShareKind>> found = pieces(candidates);
        this.left = ResidualCluster.withoutPinned(candidates);
        this.slots = hardware.classes().stream().mapToInt(left::slots).sum();
        this.nodes = hardware.classes().stream()
                .mapToInt(nodeClass -> nodeClass.nodes().size())
                .sum();
        for (NodeClass nodeClass : hardware.classes()) {
            byClass.add(new NodeClassPatterns(nodeClass, found.get(nodeClass.index()), left, rows));
        }
    }

    @Override
    public double slots() {
        return slots;
    }

    @Override
    public int nodes() {
        return nodes;
    }

    @Override
    public boolean isEnumerated() {
        return byClass.stream().flatMap(own -> own.blocks().stream()).allMatch(NodePackingSubproblem::isEnumerated);
    }

    @Override
    public void forEachRow(CapacityRow consumer) {
        byClass.forEach(own -> own.forEachRow(consumer));
    }

    @Override
    public void addSets(GubProgramBuilder builder) {
        byClass.forEach(own -> own.blocks().forEach(block -> block.addSet(builder)));
    }

    /** Returns by class the kinds of pieces that candidates use. */
    private static List<Set<NodeShareKind>> pieces(CandidateSet candidates) {
        List<Set<NodeShareKind>> found = new ArrayList<>();
        candidates.hardware().classes().forEach(nodeClass -> found.add(new LinkedHashSet<>()));
        for (int c = 0; c < candidates.size(); c++) {
            Candidate candidate = candidates.get(c);
            HostDemand demand = candidates.host(candidate);
            if (!candidate.kept()) {
                int last = 0;
                for (int size : candidate.configuration().shape()) {
                    if (size != last) {
                        found.get(candidate.nodeClass()).add(new NodeShareKind(size, demand));
                    }
                    last = size;
                }
            } else if (!candidates.isPinned(candidate.job())) {
                Allocation held = candidates.job(candidate.job()).allocation();
                for (NodeShare piece : held == null ? List.<NodeShare>of() : held.placement()) {
                    int k = candidates.hardware().classOf(candidates.hardware().indexOf(piece.node()));
                    if (k >= 0) {
                        found.get(k).add(new NodeShareKind(piece.slots(), demand));
                    }
                }
            }
        }
        return found;
    }

    @Override
    public void addPieces(int k, List<Integer> pieces, HostDemand demand, SparseMatrixBuilder entries) {
        int from = 0;
        for (int to = 1; to <= pieces.size(); to++) {
            if (to == pieces.size() || !pieces.get(to).equals(pieces.get(from))) {
                entries.add(byClass.get(k).row(pieces.get(from), demand), to - from);
                from = to;
            }
        }
    }

    @Override
    public double price(int k, int piece, HostDemand demand, double[] prices) {
        return prices[byClass.get(k).row(piece, demand)];
    }

    @Override
    public double slotPrice(int k, double[] prices) {
        ResidualValue values = byClass.get(k).residualValue(prices);
        return mean(k, v -> left.slots(v) == 0 ? 0 : value(values, v, 0, 0) / left.slots(v));
    }

    @Override
    public double cpuPrice(int k, double[] prices) {
        NodeClass nodeClass = hardware.classes().get(k);
        return meanGain(k, nodeClass.cpus() / nodeClass.slotsPerNode(), 0, prices);
    }

    @Override
    public double memoryPrice(int k, double[] prices) {
        NodeClass nodeClass = hardware.classes().get(k);
        return meanGain(k, 0, nodeClass.memoryGiB() / nodeClass.slotsPerNode(), prices);
    }

    /** Returns the mean gain of a node by more CPUs or more memory, per CPU or GiB. */
    private double meanGain(int k, double cpus, double memory, double[] prices) {
        if (cpus + memory <= 0) {
            return 0;
        }
        ResidualValue values = byClass.get(k).residualValue(prices);
        return mean(k, v -> value(values, v, cpus, memory) - value(values, v, 0, 0)) / (cpus + memory);
    }

    private double value(ResidualValue values, int v, double moreCpus, double moreMemory) {
        return values.of(left.slots(v), left.cpus(v) + moreCpus, left.memory(v) + moreMemory);
    }

    private double mean(int k, IntToDoubleFunction byNode) {
        return hardware.classes().get(k).nodes().stream()
                .mapToDouble(byNode::applyAsDouble)
                .average()
                .orElse(0);
    }

    @Override
    public double worthOfNode(int k, int v, double[] prices) {
        return byClass.get(k).mostOn(v, prices);
    }

    @Override
    public ResidualCluster.PieceCost costOn(ResidualCluster room, double[] prices) {
        ResidualValue[] values = residualValues(prices);
        return (k, v, size, demand) -> values[k].lost(room.slots(v), room.cpus(v), room.memory(v), size, demand)
                - price(k, size, demand, prices);
    }

    @Override
    public ResidualValue[] residualValues(double[] prices) {
        return byClass.stream().map(own -> own.residualValue(prices)).toArray(ResidualValue[]::new);
    }

    @Override
    public List<Subproblem> blocks() {
        List<Subproblem> blocks = new ArrayList<>();
        byClass.forEach(patterns -> blocks.addAll(patterns.blocks()));
        return blocks;
    }
}
