package dev.spur.solver.relaxation;

import dev.spur.solver.constraint.NodeShareKind;
import dev.spur.solver.constraint.ResidualNode;
import dev.spur.solver.dual.GubProgram;
import dev.spur.solver.dual.GubProgramBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Subproblem of nodes with equal remaining capacity: at prices of pieces, each takes the packing pattern of maximum
 * value. Where the patterns are not enumerated, only slots count, which makes it an unbounded knapsack.
 */
final class NodePackingSubproblem implements Subproblem {
    private static final int[] NO_JOBS = {};

    private final int count;
    private final int firstRow;
    private final int slots;
    /** Size of the pieces by kind; above every node for a kind that these nodes do not provide. */
    private final int[] sizes;

    private final List<int[]> patterns;
    /** Prices of the cached value {@link #max}; null before the first. */
    private double @Nullable [] pricedAt;

    private double max;

    /**
     * @param count number of nodes
     * @param node each of the nodes
     * @param kinds kinds of pieces; the row of kind k is {@code firstRow} + k
     * @param patterns maximal packing patterns of one node; empty if they are not enumerated
     */
    NodePackingSubproblem(int count, ResidualNode node, List<NodeShareKind> kinds, int firstRow, List<int[]> patterns) {
        this.count = count;
        this.slots = node.slots();
        this.sizes = kinds.stream()
                .mapToInt(kind -> node.provides(kind) ? kind.size() : Integer.MAX_VALUE)
                .toArray();
        this.firstRow = firstRow;
        this.patterns = patterns;
    }

    @Override
    public Column solve(double[] prices, int maxStates) {
        int[] best = best(prices);
        double[] use = new double[prices.length];
        for (int k = 0; k < best.length; k++) {
            use[firstRow + k] -= (double) count * best[k];
        }
        return Column.of(count * value(best, prices), 0, use, NO_JOBS);
    }

    /** Returns the maximum value of a packing pattern of one node. */
    double mostPerNode(double[] prices) {
        if (pricedAt != prices) {
            max = value(best(prices), prices);
            pricedAt = prices;
        }
        return max;
    }

    private double value(int[] pattern, double[] prices) {
        double sum = 0;
        for (int k = 0; k < pattern.length; k++) {
            sum += pattern[k] * prices[firstRow + k];
        }
        return sum;
    }

    private int[] best(double[] prices) {
        if (!isEnumerated()) {
            return knapsack(prices);
        }
        int[] best = patterns.get(0);
        double highest = -1;
        for (int[] pattern : patterns) {
            double value = value(pattern, prices);
            if (value > highest) {
                highest = value;
                best = pattern;
            }
        }
        return best;
    }

    /** Returns the pieces of maximum value that fit the slots, by dynamic programming over the slots. */
    private int[] knapsack(double[] prices) {
        double[] value = new double[slots + 1];
        int[] last = new int[slots + 1];
        for (int s = 1; s <= slots; s++) {
            value[s] = value[s - 1];
            last[s] = -1;
            for (int k = 0; k < sizes.length; k++) {
                if (sizes[k] <= s && value[s - sizes[k]] + prices[firstRow + k] > value[s]) {
                    value[s] = value[s - sizes[k]] + prices[firstRow + k];
                    last[s] = k;
                }
            }
        }
        int[] pieces = new int[sizes.length];
        for (int s = slots; s > 0; s -= last[s] < 0 ? 1 : sizes[last[s]]) {
            if (last[s] >= 0) {
                pieces[last[s]]++;
            }
        }
        return pieces;
    }

    /** Returns whether its packing patterns are enumerated. */
    boolean isEnumerated() {
        return !patterns.isEmpty();
    }

    /** Adds the set of its nodes: a member for each enumerated packing pattern, which provides pieces. */
    void addSet(GubProgramBuilder builder) {
        if (!isEnumerated()) {
            throw new IllegalStateException("the packing patterns are not enumerated");
        }
        for (int[] pattern : patterns) {
            builder.member(0, -1);
            for (int k = 0; k < pattern.length; k++) {
                if (pattern[k] > 0) {
                    builder.entry(firstRow + k, -pattern[k]);
                }
            }
        }
        builder.endSet(GubProgram.SetKind.NODES, count);
    }

    @Override
    public int[] jobs() {
        return NO_JOBS;
    }

    @Override
    public void writeDecisions(DualDecisions decisions) {
        // Nodes have no jobs of their own.
    }
}
