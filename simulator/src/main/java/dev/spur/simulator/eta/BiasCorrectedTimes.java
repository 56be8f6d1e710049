package dev.spur.simulator.eta;

import dev.spur.simulator.eta.SimulatedEta.Replayed;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Sampled times with bias correction. A time beyond the simulated time is infinite.
 *
 * @param biasCorrection bias correction
 * @param now time of the state, seconds on the clock of the problem
 * @param until end of the simulated time
 */
record BiasCorrectedTimes(BiasCorrection biasCorrection, double now, double until) {
    /**
     * Number of quantiles of the bias correction per sample. Quantiles replace random draws, so the interval does not
     * depend on chance.
     */
    private static final int CORRECTION_QUANTILES = 19;

    /**
     * Returns the prediction interval over all samples and all quantiles. A sample beyond the simulated time can still
     * occur within it if real times are shorter than simulated ones; the lower end of the interval includes this case.
     *
     * @param from earliest possible time, by sample
     */
    EtaInterval band(double[] times, double[] from) {
        double[] corrected = new double[times.length * CORRECTION_QUANTILES];
        double[] min = new double[corrected.length];
        Double median = EtaInterval.of(times).median();
        double middle = median == null ? Double.POSITIVE_INFINITY : Math.max(0, median - now);
        for (int time = 0; time < corrected.length; time++) {
            double share = (time % CORRECTION_QUANTILES + 1.0) / (CORRECTION_QUANTILES + 1);
            double sampled = times[time / CORRECTION_QUANTILES];
            boolean seen = Double.isFinite(sampled);
            double ahead = seen
                    ? biasCorrection.correct(Math.max(0, sampled - now), middle, share)
                    : biasCorrection.earliest(until - now, share);
            double stretched = Math.max(from[time / CORRECTION_QUANTILES], now + ahead);
            min[time] = stretched > until ? Double.POSITIVE_INFINITY : stretched;
            corrected[time] = seen ? min[time] : sampled;
        }
        EtaInterval all = EtaInterval.of(corrected);
        return new EtaInterval(EtaInterval.of(min).low(), all.median(), all.high());
    }

    /**
     * Returns the uncorrected statistics of the samples; null if more than half of them are beyond the simulated time.
     */
    @Nullable
    Replayed replayedTimes(double[] times) {
        Double median = EtaInterval.of(times).median();
        double[] logarithms = Arrays.stream(times)
                .filter(Double::isFinite)
                .map(time -> Math.log(Math.max(0, time - now) + BiasCorrection.FROM))
                .toArray();
        double mean = Arrays.stream(logarithms).average().orElse(0);
        double squares = Arrays.stream(logarithms)
                .map(one -> (one - mean) * (one - mean))
                .sum();
        return median == null
                ? null
                : new Replayed(Math.max(0, median - now), squares / Math.max(1, logarithms.length - 1));
    }
}
