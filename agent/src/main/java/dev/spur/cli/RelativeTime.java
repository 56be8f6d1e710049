package dev.spur.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/** Text of a time relative to the time of the output, such as {@code 3 min ago} or {@code in 2.1 h}. */
final class RelativeTime {
    private RelativeTime() {}

    /** Returns the text; {@code time} itself if it is no ISO 8601 time, such as the dash for a missing one. */
    static String of(String time, Instant now) {
        Instant at;
        try {
            at = Instant.parse(time);
        } catch (DateTimeParseException none) {
            return time;
        }
        long seconds = Duration.between(at, now).toSeconds();
        if (seconds == 0) {
            return "now";
        }
        String span = ServiceCommand.span((double) Math.abs(seconds));
        return seconds > 0 ? span + " ago" : "in " + span;
    }
}
