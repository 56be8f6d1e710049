package dev.spur.solver.relaxation;

import dev.spur.model.job.Elasticity;
import dev.spur.solver.dual.GubProgram;
import dev.spur.solver.dual.GubProgramBuilder;
import dev.spur.solver.resource.NodeShareKind;
import dev.spur.solver.resource.ResidualNode;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntBinaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Subproblem of nodes with equal remaining capacity: at prices of pieces, each takes the packing pattern of maximum
 * value. Where the patterns are not enumerated, only devices count: an unbounded knapsack of pieces and shared devices,
 * each of which is a knapsack of shares.
 */
final class NodePackingSubproblem implements Subproblem {
    private static final int[] NO_JOBS = {};

    private final int count;
    private final int slots;
    /** Free parts of the shared devices of each node. */
    private final List<Integer> rooms;
    /** Size by piece. */
    private final int[] sizes;
    /** Parts of each device by piece. */
    private final int[] parts;
    /** Rows in which a piece counts, by piece. */
    private final int[][] rows;
    /** Amounts of a piece in these rows. */
    private final int[][] amounts;

    private final List<int[]> patterns;
    /** Prices of the cached value {@link #max}; null before the first. */
    private double @Nullable [] pricedAt;

    private double max;

    /**
     * @param count number of nodes
     * @param node remaining capacity of each
     * @param kinds pieces that they may be cut into
     * @param rows rows in which a piece counts, by piece
     * @param amount amount of a piece of some slots in a row
     * @param patterns maximal packing patterns of one node; empty if they are not enumerated. A number below 0 stands
     *     for pieces that the pattern uses
     */
    NodePackingSubproblem(
            int count,
            ResidualNode node,
            List<NodeShareKind> kinds,
            int[][] rows,
            IntBinaryOperator amount,
            List<int[]> patterns) {
        this.count = count;
        this.slots = node.slots();
        this.rooms = node.rooms();
        this.parts = kinds.stream().mapToInt(NodeShareKind::parts).toArray();
        this.sizes = kinds.stream().mapToInt(NodeShareKind::size).toArray();
        this.rows = rows;
        this.amounts = new int[rows.length][];
        Arrays.setAll(
                amounts,
                k -> IntStream.of(rows[k])
                        .map(row -> amount.applyAsInt(row, sizes[k]))
                        .toArray());
        this.patterns = patterns;
    }

    @Override
    public Column solve(double[] prices, int maxStates) {
        double[] values = values(prices);
        int[] best = best(values);
        double[] use = new double[prices.length];
        for (int k = 0; k < best.length; k++) {
            for (int i = 0; i < rows[k].length; i++) {
                use[rows[k][i]] -= (double) count * best[k] * amounts[k][i];
            }
        }
        return Column.of(count * value(best, values), 0, use, NO_JOBS);
    }

    /** Returns the maximum value of a packing pattern of one node. */
    double mostPerNode(double[] prices) {
        if (pricedAt != prices) {
            double[] values = values(prices);
            max = value(best(values), values);
            pricedAt = prices;
        }
        return max;
    }

    /** Returns the value by piece: the sum of the prices of its rows. */
    private double[] values(double[] prices) {
        double[] values = new double[rows.length];
        for (int k = 0; k < values.length; k++) {
            for (int i = 0; i < rows[k].length; i++) {
                values[k] += prices[rows[k][i]] * amounts[k][i];
            }
        }
        return values;
    }

    private static double value(int[] pattern, double[] values) {
        double sum = 0;
        for (int k = 0; k < pattern.length; k++) {
            sum += pattern[k] * values[k];
        }
        return sum;
    }

    private int[] best(double[] values) {
        if (!isEnumerated()) {
            return knapsack(values);
        }
        int[] best = patterns.get(0);
        double highest = -1;
        for (int[] pattern : patterns) {
            double value = value(pattern, values);
            if (value > highest) {
                highest = value;
                best = pattern;
            }
        }
        return best;
    }

    /** Returns the pieces of maximum value that fit the devices, by dynamic programming over the slots. */
    private int[] knapsack(double[] values) {
        DeviceValue deviceValue = new DeviceValue(parts, values);
        double ofShared = deviceValue.of(Elasticity.PARTS);
        double[] most = new double[slots + 1];
        int[] last = new int[slots + 1];
        for (int s = 1; s <= slots; s++) {
            most[s] = most[s - 1] + ofShared;
            last[s] = -1;
            for (int k = 0; k < sizes.length; k++) {
                if (parts[k] == Elasticity.PARTS && sizes[k] <= s && most[s - sizes[k]] + values[k] > most[s]) {
                    most[s] = most[s - sizes[k]] + values[k];
                    last[s] = k;
                }
            }
        }
        int[] pieces = new int[sizes.length];
        for (int s = slots; s > 0; s -= last[s] < 0 ? 1 : sizes[last[s]]) {
            if (last[s] >= 0) {
                pieces[last[s]]++;
            } else {
                deviceValue.addPieces(Elasticity.PARTS, pieces);
            }
        }
        rooms.forEach(room -> deviceValue.addPieces(room, pieces));
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
                if (pattern[k] != 0) {
                    for (int i = 0; i < rows[k].length; i++) {
                        builder.entry(rows[k][i], -pattern[k] * amounts[k][i]);
                    }
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
