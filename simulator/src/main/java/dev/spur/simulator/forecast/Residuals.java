package dev.spur.simulator.forecast;

import dev.spur.model.Checks;

/**
 * How far what came lay from what had been replayed: a running mean and variance of logarithms of real over replayed time. What is
 * far from all before is counted as less far, and what is old weighs less and less.
 *
 * @param jobs how many jobs they rest on, at least 0; old ones count for less
 * @param mean of the logarithms; 0 for what came in the middle of the samples
 * @param variance of the logarithms about that, at least 0
 * @param replayed mean variance of the logarithms of the samples themselves, at least 0
 */
public record Residuals(double jobs, double mean, double variance, double replayed) {
    static final Residuals NONE = new Residuals(0, 0, 0, 0);

    /** So many jobs are remembered, about. */
    private static final double MOST_JOBS = 200;

    /** Standard deviations beyond which an outlier is no more of one. Source: Huber, Robust Estimation, Ann. Math. Stat. 35 (1964). */
    private static final double OUTLIER = 3;

    public Residuals {
        Checks.atLeast("jobs", jobs, 0);
        Checks.require(Double.isFinite(mean), "mean (%s) is no number", mean);
        Checks.atLeast("variance", variance, 0);
        Checks.atLeast("replayed", replayed, 0);
    }

    /**
     * These and one more.
     *
     * @param weight the part of a job that it stands for, above 0 and at most 1
     * @param logarithm of real over replayed time
     * @param sampled variance of the logarithms of the samples
     * @param expected what such residuals are thought to be like; it says what is far
     */
    Residuals with(double weight, double logarithm, double sampled, Residuals expected) {
        double far = OUTLIER * Math.sqrt(expected.variance);
        double counted = Math.max(expected.mean - far, Math.min(expected.mean + far, logarithm));
        double kept = jobs * (1 - weight / MOST_JOBS);
        return new Residuals(kept, mean, variance, replayed).with(new Residuals(weight, counted, 0, sampled));
    }

    /** These and others, taken together. */
    Residuals with(Residuals others) {
        double all = jobs + others.jobs;
        if (all == 0) {
            return NONE;
        }
        double share = others.jobs / all;
        double apart = others.mean - mean;
        return new Residuals(
                all,
                mean + share * apart,
                (1 - share) * variance + share * others.variance + share * (1 - share) * apart * apart,
                (1 - share) * replayed + share * others.replayed);
    }

    /** These as if they rested on so many jobs. */
    Residuals weighing(double otherJobs) {
        return new Residuals(otherJobs, mean, variance, replayed);
    }

    /** What samples must be stretched by to be as far apart as what comes. */
    Uncertainty drift(double leastSpread) {
        return new Uncertainty(Math.exp(mean), Math.max(leastSpread, Math.sqrt(Math.max(0, variance - replayed))));
    }
}
