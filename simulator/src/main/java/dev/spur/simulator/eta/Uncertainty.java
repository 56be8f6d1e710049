package dev.spur.simulator.eta;

import dev.spur.model.Checks;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Distribution of the deviation of jobs from their specification. The <em>stretch</em> of a job is its run time divided
 * by the time that its stated work takes at the stated speed. It is 2 for half the speed or twice the work, 0.5 for a
 * job that ends at half its work. Stretches are modeled as log-normal.
 *
 * @param median median stretch, above 0
 * @param spread standard deviation of the logarithm of the stretch, at least 0
 */
public record Uncertainty(double median, double spread) {
    /** Prior before any job has ended: jobs run as specified, two thirds of them within 25 % up or down. */
    public static final Uncertainty PRIOR = new Uncertainty(1, 0.25);

    /** Weight of the prior, in jobs. */
    private static final double PRIOR_JOBS = 10;

    /** Limit of stretch factors, up and down; values beyond it indicate errors and are limited. */
    private static final double LIMIT = 20;

    /** Scale at which the logistic distribution function differs from the normal one by at most 0.01. */
    private static final double LOGISTIC = 1.702;

    public Uncertainty {
        Checks.positive("median", median);
        Checks.atLeast("spread", spread, 0);
    }

    /**
     * Returns the posterior after jobs that have ended: the logarithms are modeled as normal, and the prior as ten jobs
     * of stretch 1 with the prior's spread.
     *
     * @param stretches stretch factors of ended jobs, each above 0
     */
    public static Uncertainty ofStretches(List<Double> stretches) {
        double[] logs = stretches.stream()
                .mapToDouble(stretch -> Math.log(Math.max(1 / LIMIT, Math.min(LIMIT, stretch))))
                .toArray();
        double sum = 0;
        for (double log : logs) {
            sum += log;
        }
        double all = PRIOR_JOBS + logs.length;
        double mean = sum / all;
        double squares = PRIOR_JOBS * (PRIOR.spread * PRIOR.spread + mean * mean);
        for (double log : logs) {
            squares += (log - mean) * (log - mean);
        }
        return new Uncertainty(Math.exp(mean), Math.sqrt(squares / all));
    }

    /** Draws a stretch factor. */
    double draw(SplittableRandom random) {
        return median * Math.exp(spread * normal(random));
    }

    /** Returns the quantile {@code share} of the stretch, by the logistic distribution closest to the normal one. */
    double quantile(double share) {
        return median * Math.exp(spread * Math.log(share / (1 - share)) / LOGISTIC);
    }

    /** Draws from the standard normal distribution (Box and Muller, 1958). */
    static double normal(SplittableRandom random) {
        double radius = Math.sqrt(-2 * Math.log1p(-random.nextDouble()));
        return radius * Math.cos(2 * Math.PI * random.nextDouble());
    }
}
