package dev.spur.solver.pricing;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.ClusterIndex;
import dev.spur.solver.candidate.NodeClass;
import dev.spur.solver.placement.ResidualCluster;
import dev.spur.solver.program.NodeShareKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

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

    PatternCapacity(CandidateSet candidates, ConstraintList rows) {
        ClusterIndex hardware = candidates.hardware();
        List<Set<NodeShareKind>> found = pieces(candidates);
        ResidualCapacity left = new ResidualCapacity(candidates);
        for (NodeClass nodeClass : hardware.classes()) {
            byClass.add(new NodeClassPatterns(nodeClass, found.get(nodeClass.index()), left, rows));
        }
    }

    /** Returns by class the kinds of pieces that candidates use. */
    private static List<Set<NodeShareKind>> pieces(CandidateSet candidates) {
        List<Set<NodeShareKind>> found = new ArrayList<>();
        candidates.hardware().classes().forEach(nodeClass -> found.add(new LinkedHashSet<>()));
        for (int c = 0; c < candidates.size(); c++) {
            Candidate candidate = candidates.get(c);
            HostDemand demand = candidates.host(candidate);
            if (!candidate.kept()) {
                for (int size : candidate.configuration().shape()) {
                    found.get(candidate.nodeClass()).add(new NodeShareKind(size, demand));
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
        Map<Integer, Integer> counts = new HashMap<>();
        for (int piece : pieces) {
            counts.merge(byClass.get(k).row(piece, demand), 1, Integer::sum);
        }
        counts.forEach((row, count) -> entries.add(row, count));
    }

    @Override
    public double price(int k, int piece, HostDemand demand, double[] prices) {
        return prices[byClass.get(k).row(piece, demand)];
    }

    @Override
    public void startFrom(CapacityRelaxation other, double[] prices, double[] start) {
        for (int k = 0; k < byClass.size(); k++) {
            int at = k;
            byClass.get(k)
                    .rows()
                    .forEach((kind, row) -> start[row] = other.price(at, kind.size(), kind.demand(), prices));
        }
    }

    @Override
    public double worthOfNode(int k, int v, double[] prices) {
        return byClass.get(k).blockOf(v).mostPerNode(prices);
    }

    @Override
    public ResidualCluster.PieceCost costOn(ResidualCluster room, double[] prices) {
        List<ResidualValue> values = byClass.stream()
                .map(own -> new ResidualValue(own.prices(prices)))
                .toList();
        return (k, v, size, demand) -> values.get(k).lost(room.slots(v), room.cpus(v), room.memory(v), size, demand)
                - price(k, size, demand, prices);
    }

    @Override
    public List<Subproblem> blocks() {
        List<Subproblem> blocks = new ArrayList<>();
        byClass.forEach(patterns -> blocks.addAll(patterns.blocks()));
        return blocks;
    }
}
