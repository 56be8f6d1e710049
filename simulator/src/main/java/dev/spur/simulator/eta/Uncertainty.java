package dev.spur.simulator.eta;

import dev.spur.model.Checks;
import java.util.List;
import java.util.SplittableRandom;

/**
 * How far jobs stray from what is stated. The <em>stretch</em> of a job is how much longer it runs than its stated work
 * takes at the stated speed: 2 for half the speed or twice the work, 0.5 for a job that ends at half its work.
 * Stretches are taken as log-normal.
 *
 * @param median the median stretch, above 0
 * @param spread standard deviation of the logarithm of the stretch, at least 0
 */
public record Uncertainty(double median, double spread) {
    /** What is assumed before any job has ended: jobs run as stated, two thirds of them within a quarter up or down. */
    public static final Uncertainty PRIOR = new Uncertainty(1, 0.25);

    /** Jobs that the prior counts for. */
    private static final double PRIOR_JOBS = 10;

    /** Stretches beyond this, up or down, tell of a mistake rather than of a job. */
    private static final double LIMIT = 20;

    /** Scale at which the logistic distribution is nowhere more than 0.01 off the normal one. */
    private static final double LOGISTIC = 1.702;

    public Uncertainty {
        Checks.positive("median", median);
        Checks.atLeast("spread", spread, 0);
    }

    /**
     * What is learnt from jobs that have ended, over the prior: the logarithms are taken as normal, and the prior as
     * ten jobs of stretch 1 with the prior's spread.
     *
     * @param stretches of jobs that have ended, each above 0
     */
    public static Uncertainty learnt(List<Double> stretches) {
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

    /** A stretch drawn at random. */
    double draw(SplittableRandom random) {
        return median * Math.exp(spread * normal(random));
    }

    /**
     * The stretch below which {@code share} of all are, by the logistic distribution that comes closest to the normal
     * one.
     */
    double quantile(double share) {
        return median * Math.exp(spread * Math.log(share / (1 - share)) / LOGISTIC);
    }

    /** Box and Muller, 1958. */
    static double normal(SplittableRandom random) {
        double radius = Math.sqrt(-2 * Math.log1p(-random.nextDouble()));
        return radius * Math.cos(2 * Math.PI * random.nextDouble());
    }
}
