package dev.spur.solver.recommend;

import dev.spur.model.Checks;
import org.jspecify.annotations.Nullable;

/**
 * What an owner wants of a job.
 *
 * @param minimize what is to be small where the limits hold
 * @param deadlineSeconds longest time from the first start to the end; null for no limit
 * @param budget highest cost, in the unit of the prices; null for no limit
 * @param confidence least chance that the limits hold, in [0.5, 1)
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

    /** The cheapest way to be done within a time. */
    public static RecommendationGoal deadline(double seconds, double confidence) {
        return new RecommendationGoal(RecommendationObjective.COST, seconds, null, confidence);
    }

    /** The fastest way that costs no more than a sum. */
    public static RecommendationGoal budget(double most, double confidence) {
        return new RecommendationGoal(RecommendationObjective.TIME, null, most, confidence);
    }

    /** The fastest way at whatever cost. */
    public static RecommendationGoal fastest() {
        return new RecommendationGoal(RecommendationObjective.TIME, null, null, 0.5);
    }

    /** Longest time that keeps both limits at a price; infinite without limits. */
    double longestSeconds(double pricePerHour) {
        double byBudget = budget == null || pricePerHour == 0 ? Double.POSITIVE_INFINITY : 3600 * budget / pricePerHour;
        return deadlineSeconds == null ? byBudget : Math.min(deadlineSeconds, byBudget);
    }
}
