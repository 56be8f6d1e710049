package dev.spur.solver.pricing;

import dev.spur.solver.dual.GubProgram;
import dev.spur.solver.dual.GubProgramBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Subproblem of nodes with equal remaining capacity: at prices of pieces, each takes the packing pattern of maximum
 * value.
 */
final class NodePackingSubproblem implements Subproblem {
    private static final int[] NO_JOBS = {};

    private final int count;
    private final int[] rowOfKind;
    private final PatternOracle cuts;
    /** Prices of the cached value {@link #most}; null before the first. */
    private double @Nullable [] pricedAt;

    private double most;

    /**
     * @param count number of nodes
     * @param rowOfKind row by kind of piece
     * @param cuts packing patterns of one node
     */
    NodePackingSubproblem(int count, int[] rowOfKind, PatternOracle cuts) {
        this.count = count;
        this.rowOfKind = rowOfKind;
        this.cuts = cuts;
    }

    @Override
    public Column answer(double[] prices, int care) {
        double[] earned = earned(prices);
        int[] best = cuts.best(earned);
        double[] use = new double[prices.length];
        double value = 0;
        for (int k = 0; k < best.length; k++) {
            use[rowOfKind[k]] -= (double) count * best[k];
            value += best[k] * earned[k];
        }
        return Column.of(count * value, 0, use, NO_JOBS);
    }

    /** Returns the maximum value of a packing pattern of one node. */
    double mostPerNode(double[] prices) {
        if (pricedAt != prices) {
            most = answer(prices, 1).bound() / count;
            pricedAt = prices;
        }
        return most;
    }

    /** Returns whether its packing patterns are enumerated. */
    boolean isEnumerated() {
        return cuts instanceof PackingPatterns;
    }

    /** Adds the set of its nodes: a member for each enumerated packing pattern, which provides pieces. */
    void addSet(GubProgramBuilder builder) {
        if (!(cuts instanceof PackingPatterns patterns)) {
            throw new IllegalStateException("the packing patterns are not enumerated");
        }
        for (int[] pattern : patterns.all()) {
            builder.member(0, -1);
            for (int k = 0; k < pattern.length; k++) {
                if (pattern[k] > 0) {
                    builder.entry(rowOfKind[k], -pattern[k]);
                }
            }
        }
        builder.endSet(GubProgram.SetKind.NODES, count);
    }

    private double[] earned(double[] prices) {
        double[] earned = new double[rowOfKind.length];
        for (int k = 0; k < earned.length; k++) {
            earned[k] = prices[rowOfKind[k]];
        }
        return earned;
    }

    @Override
    public int[] jobs() {
        return NO_JOBS;
    }

    @Override
    public void settle(DualDecisions settled) {
        // Nodes have no jobs of their own.
    }
}
