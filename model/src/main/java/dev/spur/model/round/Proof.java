package dev.spur.model.round;

/**
 * How good a plan is known to be.
 *
 * @param status how the solve ended
 * @param worth worth of the placed plan, as the judge counts it
 * @param bound no plan is worth more; at least {@code worth} up to rounding
 * @param gap (bound - worth) / |bound|, at least 0; 0 if both are 0
 * @param repairedWorth worth of the last plan, repaired for what has changed: what doing nothing would give
 * @param improvement (worth - repairedWorth) / (bound - repairedWorth), the share of the possible improvement; 1 if
 *     nothing could be improved
 */
public record Proof(
        SolveStatus status, double worth, double bound, double gap, double repairedWorth, double improvement) {
    /** Relative to the bound, and absolute below 1: what rounding alone makes of two equal worths. */
    private static final double ROUNDING = 1e-9;

    /** The proof of a plan of this worth under this bound. Worth and bound that differ by rounding alone count as equal. */
    public static Proof of(SolveStatus status, double worth, double bound, double repairedWorth) {
        double limit = Math.max(bound, worth);
        boolean equal = limit - worth <= ROUNDING * Math.max(1, Math.abs(limit));
        double gap = equal ? 0 : (limit - worth) / Math.abs(limit);
        double possible = limit - repairedWorth;
        return new Proof(
                status,
                worth,
                limit,
                gap,
                repairedWorth,
                equal || possible <= 1e-12 ? 1 : (worth - repairedWorth) / possible);
    }
}
