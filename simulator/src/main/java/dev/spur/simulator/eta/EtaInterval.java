package dev.spur.simulator.eta;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Prediction interval of an event, seconds on the clock of the problem. A null value means later than the simulated
 * time.
 *
 * @param low 10th percentile of the samples
 * @param median median of the samples
 * @param high 90th percentile of the samples
 */
public record EtaInterval(
        @Nullable Double low,
        @Nullable Double median,
        @Nullable Double high) {
    private static final double TAIL = 0.1;
    /** Minimum number of samples for an 80 % interval; measured by replay. */
    private static final int MIN_SAMPLES = 3;

    /**
     * Returns the interval of the samples; infinite samples are beyond the simulated time. Of n samples, the one of
     * rank r is the quantile r / (n + 1), with linear interpolation. Quantiles are clamped to rank 1 and rank n, so few
     * samples give a narrower interval.
     *
     * @param times at least one, in any order
     */
    static EtaInterval of(double... times) {
        double[] sorted = times.clone();
        Arrays.sort(sorted);
        return new EtaInterval(quantile(sorted, TAIL), quantile(sorted, 0.5), quantile(sorted, 1 - TAIL));
    }

    /**
     * Returns the nominal coverage of the interval. The bias correction compensates for a small number of samples,
     * because it is learned from their misses. Without it, two samples cover a third, and one sample nothing.
     */
    static double coverage(int samples) {
        return samples >= MIN_SAMPLES ? 1 - 2 * TAIL : (samples - 1.0) / (samples + 1.0);
    }

    private static @Nullable Double quantile(double[] sorted, double share) {
        double rank = Math.max(1, Math.min(sorted.length, share * (sorted.length + 1)));
        int below = (int) Math.floor(rank + 1e-9);
        double part = Math.max(0, rank - below);
        double low = sorted[below - 1];
        double high = part < 1e-9 ? low : sorted[below];
        return Double.isInfinite(high) ? null : Double.valueOf(low + part * (high - low));
    }
}
