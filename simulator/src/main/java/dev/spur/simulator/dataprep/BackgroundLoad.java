package dev.spur.simulator.dataprep;

import java.util.SplittableRandom;

/**
 * Memory that the nodes use themselves: a fluctuating level per node, plus sudden demands of limited duration. Each
 * node has a separate random sequence.
 */
final class BackgroundLoad {
    private static final double WANDER = 0.01;
    private static final double RETURN = 0.02;
    /**
     * Mean time between sudden demands of a node: two hours. A demand takes a tenth to four tenths of its memory for
     * five to thirty minutes.
     */
    private static final double MEAN_SECONDS_BETWEEN = 7200;

    private static final double MIN_DEMAND = 0.1;
    private static final double MAX_DEMAND = 0.4;
    private static final double MIN_SECONDS = 300;
    private static final double MAX_SECONDS = 1800;
    private static final double MAX = 0.95;

    private final double memoryGiB;
    private final SplittableRandom[] randoms;
    private final double[] level;
    private final double[] share;
    private final double[] demand;
    private final double[] until;

    /** @param uneven true if a third of the nodes is nearly full and the others are nearly empty, at the same mean */
    BackgroundLoad(int nodes, double memoryGiB, double meanShare, boolean uneven, long seed) {
        this.memoryGiB = memoryGiB;
        randoms = new SplittableRandom[nodes];
        level = new double[nodes];
        share = new double[nodes];
        demand = new double[nodes];
        until = new double[nodes];
        SplittableRandom root = new SplittableRandom(seed);
        for (int v = 0; v < nodes; v++) {
            randoms[v] = root.split();
            double full = Math.min(0.85, 3 * meanShare - 0.2);
            double empty = (3 * meanShare - full) / 2;
            level[v] = !uneven ? meanShare : v % 3 == 0 ? full : empty;
            share[v] = level[v];
        }
    }

    /** Advances by {@code seconds} to {@code now}. */
    void pass(double now, double seconds) {
        for (int v = 0; v < share.length; v++) {
            SplittableRandom random = randoms[v];
            share[v] += RETURN * (level[v] - share[v]) + WANDER * (2 * random.nextDouble() - 1);
            boolean begins = random.nextDouble() < seconds / MEAN_SECONDS_BETWEEN;
            double size = MIN_DEMAND + (MAX_DEMAND - MIN_DEMAND) * random.nextDouble();
            double length = MIN_SECONDS + (MAX_SECONDS - MIN_SECONDS) * random.nextDouble();
            if (until[v] <= now) {
                demand[v] = begins ? size : 0;
                until[v] = begins ? now + length : until[v];
            }
        }
    }

    /** Returns the GiB that node {@code v} uses itself. */
    double gib(int v) {
        return memoryGiB * Math.max(0, Math.min(MAX, share[v] + demand[v]));
    }
}
