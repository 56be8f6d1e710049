package dev.spur.solver.recommend;

import dev.spur.model.Checks;
import org.jspecify.annotations.Nullable;

/**
 * Goal of a recommendation.
 *
 * @param minimize quantity to minimize among the options that keep the limits
 * @param deadlineSeconds maximum time from the first start to the end; null for no limit
 * @param budget maximum cost, in the unit of the prices; null for no limit
 * @param confidence minimum probability that the limits hold, in [0.5, 1)
 */
public record RecommendationGoal(
        RecommendationObjective minimize,
        @Nullable Double deadlineSeconds,
        @Nullable Double budget,
        double confidence) {
    public RecommendationGoal {
        if (deadlineSeconds != null) {
            Checks.positive("deadlineSeconds", deadlineSeconds);
        }
        if (budget != null) {
            Checks.positive("budget", budget);
        }
        Checks.require(confidence >= 0.5 && confidence < 1, "confidence (%s) must be in [0.5, 1)", confidence);
    }

    /** Returns the goal of the lowest cost within a time. */
    public static RecommendationGoal deadline(double seconds, double confidence) {
        return new RecommendationGoal(RecommendationObjective.COST, seconds, null, confidence);
    }

    /** Returns the goal of the shortest time within a cost. */
    public static RecommendationGoal budget(double max, double confidence) {
        return new RecommendationGoal(RecommendationObjective.TIME, null, max, confidence);
    }

    /** Returns the goal of the shortest time at any cost. */
    public static RecommendationGoal fastest() {
        return new RecommendationGoal(RecommendationObjective.TIME, null, null, 0.5);
    }

    /** Returns the maximum time that keeps both limits at a price; infinite without limits. */
    double longestSeconds(double pricePerHour) {
        double byBudget = budget == null || pricePerHour == 0 ? Double.POSITIVE_INFINITY : 3600 * budget / pricePerHour;
        return deadlineSeconds == null ? byBudget : Math.min(deadlineSeconds, byBudget);
    }
}
