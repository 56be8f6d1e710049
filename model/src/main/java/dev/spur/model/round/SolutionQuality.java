package dev.spur.model.round;

/**
 * Solution quality of a plan: objective value, dual bound and optimality gap.
 *
 * @param status termination status of the solver
 * @param objectiveValue objective value of the plan, as the plan validator computes it
 * @param bestBound dual bound: upper bound on the objective value of every plan; at least {@code objectiveValue} up to
 *     rounding
 * @param gap optimality gap, (bestBound - objectiveValue) / |bestBound|, at least 0; 0 if both are 0
 * @param fallbackObjectiveValue objective value of the last plan after its repair for the current state: the result
 *     without a solve
 * @param improvement (objectiveValue - fallbackObjectiveValue) / (bestBound - fallbackObjectiveValue), the share of the
 *     possible improvement; 1 if no improvement is possible
 */
public record SolutionQuality(
        SolveStatus status,
        double objectiveValue,
        double bestBound,
        double gap,
        double fallbackObjectiveValue,
        double improvement) {
    /** Tolerance for equal objective values: relative to the bound, absolute below 1. */
    private static final double ROUNDING = 1e-9;

    /**
     * Returns the quality of a plan with this objective value and dual bound. Values within the rounding tolerance
     * count as equal.
     */
    public static SolutionQuality of(
            SolveStatus status, double objectiveValue, double bound, double fallbackObjectiveValue) {
        double limit = Math.max(bound, objectiveValue);
        boolean equal = limit - objectiveValue <= ROUNDING * Math.max(1, Math.abs(limit));
        double gap = equal ? 0 : (limit - objectiveValue) / Math.abs(limit);
        double possible = limit - fallbackObjectiveValue;
        return new SolutionQuality(
                status,
                objectiveValue,
                limit,
                gap,
                fallbackObjectiveValue,
                equal || possible <= 1e-12 ? 1 : (objectiveValue - fallbackObjectiveValue) / possible);
    }
}
