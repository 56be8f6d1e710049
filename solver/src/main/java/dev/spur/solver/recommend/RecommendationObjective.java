package dev.spur.solver.recommend;

/** What is to be as small as can be, among what keeps the limits of a target. */
public enum RecommendationObjective {
    /** What the job is expected to cost. */
    COST,
    /** How long it is expected to take. */
    TIME
}
