package dev.spur.simulator.eta;

import dev.spur.model.Checks;

/**
 * How far what came lay from what had been replayed: the running middle and variance of logarithms of real over
 * replayed time. What is far from all before is counted as less far, and what is old weighs less and less.
 *
 * @param jobs how many jobs they rest on, at least 0; old ones count for less
 * @param mean robust mean of the logarithms; 0 for what came in the middle of the samples
 * @param variance of the logarithms about that, at least 0
 * @param replayed mean variance of the logarithms of the samples themselves, at least 0
 */
public record Residuals(double jobs, double mean, double variance, double replayed) {
    static final Residuals NONE = new Residuals(0, 0, 0, 0);

    /** So many jobs are remembered, about. */
    private static final double MOST_JOBS = 200;

    /**
     * Standard deviations beyond which a residual pulls the middle no more: most jobs are a little later than replayed
     * and some much sooner, and bands begin from the middle of most. Source: Huber, Robust Estimation of a Location
     * Parameter, Ann. Math. Stat. 35 (1964); the figure was measured by replay.
     */
    private static final double NEAR = 0.7;

    /** Standard deviations beyond which one says no more of how far they are apart. */
    private static final double FAR = 3;

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
        double kept = jobs * (1 - weight / MOST_JOBS);
        double share = weight / (kept + weight);
        double middle = mean + share * (expected.limited(logarithm, NEAR) - mean);
        double apart = expected.limited(logarithm, FAR) - middle;
        return new Residuals(
                kept + weight,
                middle,
                (1 - share) * variance + share * apart * apart,
                (1 - share) * replayed + share * sampled);
    }

    private double limited(double logarithm, double deviations) {
        double most = deviations * Math.sqrt(variance);
        return Math.max(mean - most, Math.min(mean + most, logarithm));
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

    /** What makes samples as far apart as what comes: they are stretched by more or less, or drawn together. */
    BiasCorrection.HorizonCorrection bend(double leastSpread) {
        double kept = variance < replayed ? Math.sqrt(variance / replayed) : 1;
        double spread = Math.sqrt(Math.max(0, variance - replayed));
        return new BiasCorrection.HorizonCorrection(
                new Uncertainty(Math.exp(mean), Math.max(leastSpread, spread)),
                Math.max(leastSpread, Math.sqrt(variance)),
                kept);
    }
}
