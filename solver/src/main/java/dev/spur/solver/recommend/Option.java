package dev.spur.solver.recommend;

import dev.spur.model.Checks;
import dev.spur.model.allocation.Configuration;
import org.hipparchus.distribution.continuous.NormalDistribution;

/**
 * A way to run a job from start to end without other jobs.
 *
 * @param configuration nodes, slots, batch size and strategy
 * @param goodput effective samples per second, above 0: the median
 * @param spread standard deviation of the logarithm of the goodput, at least 0
 * @param startSeconds start time, without progress
 * @param runSeconds time of the work at the median goodput
 * @param pricePerHour price of its resources per hour
 */
public record Option(
        Configuration configuration,
        double goodput,
        double spread,
        double startSeconds,
        double runSeconds,
        double pricePerHour) {
    private static final NormalDistribution NORMAL = new NormalDistribution(0, 1);

    public Option {
        Checks.positive("goodput", goodput);
        Checks.atLeast("spread", spread, 0);
        Checks.atLeast("startSeconds", startSeconds, 0);
        Checks.atLeast("runSeconds", runSeconds, 0);
        Checks.atLeast("pricePerHour", pricePerHour, 0);
    }

    /** Returns the time that the job keeps with probability {@code share}, in (0, 1). */
    public double seconds(double share) {
        return startSeconds + runSeconds * Math.exp(spread * NORMAL.inverseCumulativeProbability(share));
    }

    /** Returns the cost that the job keeps with probability {@code share}, in (0, 1). */
    public double cost(double share) {
        return pricePerHour * seconds(share) / 3600;
    }

    /** Returns the mean time: that of a log-normal distribution, which lies above its median. */
    public double expectedSeconds() {
        return startSeconds + runSeconds * Math.exp(spread * spread / 2);
    }

    /** Returns the mean cost. */
    public double expectedCost() {
        return pricePerHour * expectedSeconds() / 3600;
    }

    /** Returns the probability that the option misses a limit of {@code goal}, in [0, 1]. */
    public double risk(RecommendationGoal goal) {
        double free = goal.longestSeconds(pricePerHour) - startSeconds;
        if (free == Double.POSITIVE_INFINITY || runSeconds == 0) {
            return free >= 0 ? 0 : 1;
        }
        if (free <= 0 || spread == 0) {
            return runSeconds <= free ? 0 : 1;
        }
        return NORMAL.cumulativeProbability(Math.log(runSeconds / free) / spread);
    }

    /** Returns the quantity that {@code target} minimizes. */
    double valueFor(RecommendationObjective objective) {
        return objective == RecommendationObjective.COST ? expectedCost() : expectedSeconds();
    }
}
