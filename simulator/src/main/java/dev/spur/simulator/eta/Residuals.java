package dev.spur.simulator.eta;

import dev.spur.model.Checks;

/**
 * Residuals of simulated times: running mean and variance of the logarithm of the real time divided by the simulated
 * time. Outliers are limited, and old residuals lose weight.
 *
 * @param jobs effective number of jobs, at least 0; old jobs have less weight
 * @param mean robust mean of the logarithms; 0 if outcomes are at the median of the samples
 * @param variance variance of the logarithms about the mean, at least 0
 * @param replayed mean variance of the logarithms of the samples themselves, at least 0
 */
public record Residuals(double jobs, double mean, double variance, double replayed) {
    static final Residuals NONE = new Residuals(0, 0, 0, 0);

    /** Approximate maximum of the effective number of jobs. */
    private static final double MAX_JOBS = 200;

    /**
     * Limit of a residual for the mean, in standard deviations. Most jobs end a little later than simulated and some
     * much sooner; the intervals are centered on the majority. Source: Huber, Robust Estimation of a Location
     * Parameter, Ann. Math. Stat. 35 (1964); the value was measured by replay.
     */
    private static final double NEAR = 0.7;

    /** Limit of a residual for the variance, in standard deviations. */
    private static final double FAR = 3;

    public Residuals {
        Checks.atLeast("jobs", jobs, 0);
        Checks.require(Double.isFinite(mean), "mean (%s) must be a finite number", mean);
        Checks.atLeast("variance", variance, 0);
        Checks.atLeast("replayed", replayed, 0);
    }

    /**
     * Returns the residuals with one more.
     *
     * @param weight weight in jobs, above 0 and at most 1
     * @param logarithm logarithm of the real time divided by the simulated time
     * @param sampled variance of the logarithms of the samples
     * @param expectedResiduals expected residuals, which determine the limits of outliers
     */
    Residuals with(double weight, double logarithm, double sampled, Residuals expectedResiduals) {
        double retained = jobs * (1 - weight / MAX_JOBS);
        double share = weight / (retained + weight);
        double middle = mean + share * (expectedResiduals.limit(logarithm, NEAR) - mean);
        double distance = expectedResiduals.limit(logarithm, FAR) - middle;
        return new Residuals(
                retained + weight,
                middle,
                (1 - share) * variance + share * distance * distance,
                (1 - share) * replayed + share * sampled);
    }

    private double limit(double logarithm, double deviations) {
        double max = deviations * Math.sqrt(variance);
        return Math.max(mean - max, Math.min(mean + max, logarithm));
    }

    /** Returns the pooled residuals of both. */
    Residuals with(Residuals otherResiduals) {
        double all = jobs + otherResiduals.jobs;
        if (all == 0) {
            return NONE;
        }
        double share = otherResiduals.jobs / all;
        double distance = otherResiduals.mean - mean;
        return new Residuals(
                all,
                mean + share * distance,
                (1 - share) * variance + share * otherResiduals.variance + share * (1 - share) * distance * distance,
                (1 - share) * replayed + share * otherResiduals.replayed);
    }

    /** Returns these residuals with another effective number of jobs. */
    Residuals weighing(double otherJobs) {
        return new Residuals(otherJobs, mean, variance, replayed);
    }

    /**
     * Returns the correction that gives samples the dispersion of the outcomes, by a random stretch or by shrinkage.
     */
    BiasCorrection.HorizonCorrection correction(double leastSpread) {
        double retained = variance < replayed ? Math.sqrt(variance / replayed) : 1;
        double spread = Math.sqrt(Math.max(0, variance - replayed));
        return new BiasCorrection.HorizonCorrection(
                new Uncertainty(Math.exp(mean), Math.max(leastSpread, spread)),
                Math.max(leastSpread, Math.sqrt(variance)),
                retained);
    }
}
