package dev.spur.model;

import java.time.Duration;

/** Conversion to seconds, the unit of time of the API, the round problem and the database. */
public final class Seconds {
    private Seconds() {}

    /** Returns a duration in seconds, with its fraction. */
    public static double of(Duration duration) {
        return duration.getSeconds() + duration.getNano() / 1e9;
    }
}
