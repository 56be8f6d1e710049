package dev.spur.model.round;

/**
 * Solution quality of one priority class of a plan.
 *
 * @param priority the class
 * @param objectiveValue sum of the utilities of its jobs
 * @param bestBound dual bound: upper bound on that sum over all plans that give each higher class what it gets here; at
 *     least {@code objectiveValue} up to rounding
 * @param gap optimality gap, (bestBound - objectiveValue) / |bestBound|, at least 0; 0 if both are 0
 */
public record ClassQuality(int priority, double objectiveValue, double bestBound, double gap) {
    /** Returns the quality of a class; values within the rounding tolerance count as equal. */
    public static ClassQuality of(int priority, double objectiveValue, double bound) {
        SolutionQuality quality = SolutionQuality.of(SolveStatus.OPTIMAL, objectiveValue, bound, objectiveValue);
        return new ClassQuality(priority, objectiveValue, quality.bestBound(), quality.gap());
    }
}
