package dev.spur.simulator.eta;

import org.jspecify.annotations.Nullable;

/**
 * A forecast beside what came. Times are seconds on the clock of the replay.
 *
 * @param ofStart true for a start, false for an end
 * @param madeAt when it was made
 * @param until up to when was replayed
 * @param coverage the share of outcomes that the band should hold
 * @param band what was expected
 * @param came when it came; null if it never did
 */
public record BacktestSample(
        boolean ofStart,
        double madeAt,
        double until,
        double coverage,
        EtaInterval band,
        @Nullable Double came) {

    /** True if the band holds what came; a side that is open holds everything later than what was replayed. */
    public boolean holds() {
        double time = came == null ? Double.POSITIVE_INFINITY : came;
        return time >= (band.low() == null ? until : band.low()) && (band.high() == null || time <= band.high());
    }

    /** True if it came before the band. */
    public boolean early() {
        return came != null && came < (band.low() == null ? until : band.low());
    }

    /** Seconds from the making to the median; infinite if the median is beyond what was replayed. */
    public double ahead() {
        return band.median() == null ? Double.POSITIVE_INFINITY : band.median() - madeAt;
    }

    /** Seconds between the median and what came; infinite if either is unknown. */
    public double error() {
        return band.median() == null || came == null ? Double.POSITIVE_INFINITY : Math.abs(came - band.median());
    }
}
