package dev.spur.simulator.eta;

import org.jspecify.annotations.Nullable;

/**
 * A forecast and the observed outcome. Times are seconds on the clock of the replay.
 *
 * @param ofStart true for a start, false for an end
 * @param madeAt time of the forecast
 * @param until end of the simulated time
 * @param coverage nominal coverage of the prediction interval
 * @param band predicted interval
 * @param came observed time; null if the event did not occur
 */
public record BacktestSample(
        boolean ofStart,
        double madeAt,
        double until,
        double coverage,
        EtaInterval band,
        @Nullable Double came) {

    /**
     * Returns true if the interval contains the outcome; an open side includes everything beyond the simulated time.
     */
    public boolean holds() {
        double time = came == null ? Double.POSITIVE_INFINITY : came;
        return time >= (band.low() == null ? until : band.low()) && (band.high() == null || time <= band.high());
    }

    /** Returns true if the outcome is before the interval. */
    public boolean early() {
        return came != null && came < (band.low() == null ? until : band.low());
    }

    /** Returns the seconds from the forecast to the median; infinite if the median is beyond the simulated time. */
    public double ahead() {
        return band.median() == null ? Double.POSITIVE_INFINITY : band.median() - madeAt;
    }

    /** Returns the seconds between the median and the outcome; infinite if either is unknown. */
    public double error() {
        return band.median() == null || came == null ? Double.POSITIVE_INFINITY : Math.abs(came - band.median());
    }
}
