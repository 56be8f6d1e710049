package dev.spur.solver.relaxation;

import java.util.Arrays;

/**
 * Dual trust region: a box around the best prices for the next trial prices. In each row the distance is at most a
 * radius times the price, or times a share of the mean utility per unit.
 *
 * <p>The master is accurate near evaluated prices and inaccurate far from them. The radius grows after a serious step,
 * and shrinks if the bound rises by more than the predicted decrease (Marsten, Hogan and Blankenship, "The boxstep
 * method for large-scale optimization", 1975).
 */
final class DualTrustRegion {
    private static final double FIRST_RADIUS = 0.05;
    private static final double MAX_RADIUS = 1e6;
    /** Share of the mean utility per unit that replaces a lower price. */
    private static final double SHARE_OF_WORTH = 0.1;
    /** Share of the predicted decrease of the bound above which the step is a serious step and the box grows. */
    private static final double SUFFICIENT_DECREASE = 0.5;

    /** Cost of excess of a row during rounding, as a multiple of its price. */
    private static final double PUNISHMENT = 3;

    private static final double TOLERANCE = 1e-9;

    private final double[] min;
    private final double[] limits;
    private final double[] low;
    private final double[] high;
    private double radius = FIRST_RADIUS;

    /**
     * @param worthPerUnit mean utility per unit by row; 0 for rows without a price
     * @param limits maximum price by row
     */
    DualTrustRegion(double[] worthPerUnit, double[] limits) {
        this.limits = limits.clone();
        this.min =
                Arrays.stream(worthPerUnit).map(worth -> SHARE_OF_WORTH * worth).toArray();
        this.low = new double[min.length];
        this.high = new double[min.length];
    }

    /** Limits the next prices of {@code master} to the box around {@code center}. */
    void limit(RestrictedMaster master, double[] center) {
        for (int r = 0; r < min.length; r++) {
            double width = radius * Math.max(center[r], min[r]);
            low[r] = Math.max(0, center[r] - width);
            high[r] = Math.min(limits[r], center[r] + width);
            master.limitPrice(r, low[r], high[r]);
        }
    }

    /** Clips each of {@code prices} to the range from 0 to its limit; NaN becomes 0. */
    void clip(double[] prices) {
        for (int r = 0; r < prices.length; r++) {
            prices[r] = prices[r] > 0 ? Math.min(prices[r], limits[r]) : 0;
        }
    }

    /**
     * Raises the cost of excess in {@code master} above the prices, so that it exceeds rows only if no other solution
     * exists.
     */
    void punishExcess(RestrictedMaster master, double[] center) {
        for (int r = 0; r < min.length; r++) {
            master.limitPrice(r, 0, PUNISHMENT * Math.max(center[r], min[r]));
        }
    }

    /** Returns whether the box restricts one of {@code prices}. */
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

    /** Widens the box; returns false if it has reached its maximum radius. */
    boolean widen() {
        radius *= 4;
        return radius <= MAX_RADIUS;
    }

    /**
     * Adapts the radius.
     *
     * @param predictedDecrease predicted decrease of the bound
     * @param decrease actual decrease of the bound
     */
    void learn(double predictedDecrease, double decrease) {
        if (decrease > SUFFICIENT_DECREASE * predictedDecrease) {
            radius *= 2;
        } else if (decrease < -predictedDecrease) {
            radius /= 2;
        }
    }
}
