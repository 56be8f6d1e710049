package dev.spur.solver.pricing;

import java.util.Arrays;

/**
 * Where the next trial prices may lie: each not further from the best so far than a radius times itself, or times a
 * share of what a unit is worth to those who take it. What the master knows is right near prices at which the blocks
 * were asked and wild far from them, so the radius grows while its promises are kept and shrinks when they are not
 * (Marsten, Hogan and Blankenship, "The boxstep method for large-scale optimization", 1975).
 */
final class DualTrustRegion {
    private static final double FIRST_RADIUS = 0.05;
    private static final double MOST_RADIUS = 1e6;
    /** Share of the worth of a unit that counts where the price is lower. */
    private static final double SHARE_OF_WORTH = 0.1;
    /** Share of the promised gain that must come for the box to grow. */
    private static final double KEPT_PROMISE = 0.5;

    /** What exceeding a row costs against its price, where it should not be exceeded. */
    private static final double PUNISHMENT = 3;

    private static final double TOLERANCE = 1e-9;

    private final double[] least;
    private final double[] limits;
    private final double[] low;
    private final double[] high;
    private double radius = FIRST_RADIUS;

    /**
     * A box for the prices of some rows.
     *
     * @param worthPerUnit by row; 0 for rows without a price
     * @param limits by row the highest price
     */
    DualTrustRegion(double[] worthPerUnit, double[] limits) {
        this.limits = limits.clone();
        this.least =
                Arrays.stream(worthPerUnit).map(worth -> SHARE_OF_WORTH * worth).toArray();
        this.low = new double[least.length];
        this.high = new double[least.length];
    }

    /** Lets the next prices of {@code master} be around {@code center}. */
    void limit(RestrictedMaster master, double[] center) {
        for (int r = 0; r < least.length; r++) {
            double width = radius * Math.max(center[r], least[r]);
            low[r] = Math.max(0, center[r] - width);
            high[r] = Math.min(limits[r], center[r] + width);
            master.limitPrice(r, low[r], high[r]);
        }
    }

    /** Brings each of {@code prices} between 0 and its limit; a price that is not a number becomes 0. */
    void clip(double[] prices) {
        for (int r = 0; r < prices.length; r++) {
            prices[r] = prices[r] > 0 ? Math.min(prices[r], limits[r]) : 0;
        }
    }

    /** Lets {@code master} exceed no row unless there is no other way. */
    void punishExcess(RestrictedMaster master, double[] center) {
        for (int r = 0; r < least.length; r++) {
            master.limitPrice(r, 0, PUNISHMENT * Math.max(center[r], least[r]));
        }
    }

    /** True if some of {@code prices} might go on beyond the box. */
    boolean holdsBack(double[] prices) {
        for (int r = 0; r < prices.length; r++) {
            boolean atLow = low[r] > 0 && prices[r] <= low[r] * (1 + TOLERANCE);
            boolean atHigh = high[r] > 0 && high[r] < limits[r] && prices[r] >= high[r] * (1 - TOLERANCE);
            if (atLow || atHigh) {
                return true;
            }
        }
        return false;
    }

    /** Grows where nothing more is promised inside; returns false if it is as large as anyone could want. */
    boolean widen() {
        radius *= 4;
        return radius <= MOST_RADIUS;
    }

    /**
     * Learns that prices in the box promised to lower the bound by {@code promised}, and that {@code gain} came of it.
     */
    void learn(double promised, double gain) {
        if (gain > KEPT_PROMISE * promised) {
            radius *= 2;
        } else if (gain < -promised) {
            radius /= 2;
        }
    }
}
