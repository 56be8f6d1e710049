package dev.spur.simulator.eta;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * When something may happen, seconds on the clock of the problem. A time that lies beyond what was replayed is null:
 * nothing is said of it but that it is later.
 *
 * @param low one tenth of the samples are earlier
 * @param median half of the samples are earlier
 * @param high nine tenths of the samples are earlier
 */
public record EtaInterval(
        @Nullable Double low,
        @Nullable Double median,
        @Nullable Double high) {
    private static final double TAIL = 0.1;
    /** So many samples and more say how far they are apart; measured by replay. */
    private static final int FEWEST = 3;

    /**
     * The band of samples; infinite ones lie beyond what was replayed. Of n samples the one of rank r stands for the
     * quantile r / (n + 1), straight in between; below rank 1 and above rank n there is nothing, so that few samples
     * give a narrower band.
     *
     * @param times at least one, in any order
     */
    static EtaInterval of(double... times) {
        double[] sorted = times.clone();
        Arrays.sort(sorted);
        return new EtaInterval(quantile(sorted, TAIL), quantile(sorted, 0.5), quantile(sorted, 1 - TAIL));
    }

    /**
     * The share of outcomes that a band should hold. The drift makes up for few samples, as it is learnt from what they
     * missed; of two samples alone a third would lie between them, and of one nothing.
     */
    static double coverage(int samples) {
        return samples >= FEWEST ? 1 - 2 * TAIL : (samples - 1.0) / (samples + 1.0);
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
