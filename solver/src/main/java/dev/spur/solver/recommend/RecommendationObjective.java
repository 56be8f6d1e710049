package dev.spur.solver.recommend;

/** The quantity that a recommendation minimizes among the options that keep the limits. */
public enum RecommendationObjective {
    /** Expected cost of the job. */
    COST,
    /** Expected time of the job. */
    TIME
}
