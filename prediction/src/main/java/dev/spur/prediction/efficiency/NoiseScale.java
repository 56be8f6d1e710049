package dev.spur.prediction.efficiency;

import dev.spur.model.Checks;
import dev.spur.model.performance.StatisticalEfficiency;

/**
 * The gradient noise scale of a job, smoothed over its reports. Plain data.
 *
 * @param samples noise scale, at least 0; ignored before the first report
 * @param reports reports in the mean, at least 0
 */
public record NoiseScale(double samples, long reports) {
    /** A noise scale without reports. */
    public static final NoiseScale UNKNOWN = new NoiseScale(0, 0);

    /** Number of reports over which the mean extends; noise grows during training, so that older reports must fade. */
    private static final double MEMORY = 8;
    /** Maximum factor between a report and the mean; a report beyond it is clipped. */
    private static final double OUTLIER = 4;

    public NoiseScale {
        Checks.atLeast("samples", samples, 0);
        Checks.require(reports >= 0, "reports (%s) must be at least 0", reports);
    }

    /**
     * Returns the noise scale from the variance and the squared norm of gradients at a batch size: {@code batch *
     * variance / squaredNorm}. Source: McCandlish et al., An empirical model of large-batch training, 2018; as used by
     * Qiao et al., Pollux, OSDI '21.
     *
     * @param batch samples of the batch of these gradients, at least 1
     * @param variance variance of the gradient, at least 0
     * @param squaredNorm squared norm of the mean gradient, above 0
     */
    public static double of(int batch, double variance, double squaredNorm) {
        Checks.atLeast("batch", batch, 1);
        Checks.atLeast("variance", variance, 0);
        Checks.positive("squaredNorm", squaredNorm);
        return batch * variance / squaredNorm;
    }

    /** Returns this noise scale with one more report, at least 0. */
    public NoiseScale and(double reported) {
        Checks.atLeast("reported", reported, 0);
        if (reports == 0) {
            return new NoiseScale(reported, 1);
        }
        double bounded = samples == 0 ? reported : Math.min(samples * OUTLIER, Math.max(samples / OUTLIER, reported));
        double part = Math.max(1 / MEMORY, 1.0 / (reports + 1));
        return new NoiseScale(samples + part * (bounded - samples), reports + 1);
    }

    /** Returns the efficiency of this noise scale; {@code otherwise} before the first report. */
    public StatisticalEfficiency efficiency(StatisticalEfficiency otherwise) {
        return reports == 0 ? otherwise : StatisticalEfficiency.ofNoiseScale(samples);
    }
}
