package dev.spur.simulator.eta;

import dev.spur.simulator.eta.JobEta.Replayed;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Times of samples under a drift. A time that lies beyond what was replayed is infinite.
 *
 * @param drift by what they are stretched
 * @param now the moment of the state, seconds on the clock of the problem
 * @param until up to when was replayed
 */
record BiasCorrectedTimes(BiasCorrection drift, double now, double until) {
    /**
     * Each sample stands for so many times, at as many quantiles of the drift: a band needs no chance to hold all of
     * it.
     */
    private static final int DRIFTS = 19;

    /**
     * The band of every sample under every drift. A sample that lies beyond what was replayed may still come before the
     * end of it, where times come sooner than they are replayed: the lower end of the band knows of that.
     *
     * @param from by sample: what the time cannot be before
     */
    EtaInterval band(double[] times, double[] from) {
        double[] drifted = new double[times.length * DRIFTS];
        double[] least = new double[drifted.length];
        Double median = EtaInterval.of(times).median();
        double middle = median == null ? Double.POSITIVE_INFINITY : Math.max(0, median - now);
        for (int time = 0; time < drifted.length; time++) {
            double share = (time % DRIFTS + 1.0) / (DRIFTS + 1);
            double sampled = times[time / DRIFTS];
            boolean seen = Double.isFinite(sampled);
            double ahead = seen
                    ? drift.stretched(Math.max(0, sampled - now), middle, share)
                    : drift.earliest(until - now, share);
            double stretched = Math.max(from[time / DRIFTS], now + ahead);
            least[time] = stretched > until ? Double.POSITIVE_INFINITY : stretched;
            drifted[time] = seen ? least[time] : sampled;
        }
        EtaInterval all = EtaInterval.of(drifted);
        return new EtaInterval(EtaInterval.of(least).low(), all.median(), all.high());
    }

    /** What the samples alone say; null if more than half of them lie beyond what was replayed. */
    @Nullable
    Replayed replayed(double[] times) {
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
