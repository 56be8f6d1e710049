package dev.spur.prediction.stall;

/**
 * Log-normal model of stalls. The logarithms of the stalls of a job have a normal distribution with a known variance.
 * The mean of a job is normal around that of its family, and the mean of a family around the statement of the owner.
 *
 * <p>The posterior mean of {@code n} measured logarithms with the mean {@code y} is {@code (w * m + n * y) / (w + n)}.
 * The prior mean is {@code m}, and {@code w} is the ratio of the variance of a measurement to the prior variance.
 * Source: Gelman et al., Bayesian Data Analysis, 3rd edition, section 2.5. The median of the prediction is the
 * exponential of that mean.
 */
final class StallModel {
    /**
     * Standard deviation of the logarithms of the stalls of one job. Four restarts in {@code docs/benchmarks/stalls.md}
     * have 0.5.
     */
    static final double DEVIATION = 0.5;
    /** Assumed standard deviation between jobs of a family. */
    private static final double IN_FAMILY = 0.5;
    /** Assumed standard deviation of the error of a statement: a factor of 4.5. */
    private static final double OF_STATEMENT = 1.5;

    /** Number of measured changes that the estimate of the family counts as. */
    private static final double FAMILY_WEIGHT = weight(IN_FAMILY);
    /** Number of measured changes that a statement counts as. */
    private static final double STATEMENT_WEIGHT = weight(OF_STATEMENT);

    private StallModel() {}

    private static double weight(double priorDeviation) {
        return DEVIATION * DEVIATION / (priorDeviation * priorDeviation);
    }

    /**
     * Returns the median of the next stall.
     *
     * @param stated seconds that the owner states, at least 0
     */
    static double seconds(double stated, MeasuredStall familyStall, MeasuredStall jobStall) {
        if (familyStall.changes() + jobStall.changes() == 0) {
            return stated;
        }
        double prior = familyStall.posterior(MeasuredStall.log(stated), STATEMENT_WEIGHT);
        double weight = familyStall.changes() == 0 ? STATEMENT_WEIGHT : FAMILY_WEIGHT;
        return Math.exp(jobStall.posterior(prior, weight));
    }
}
