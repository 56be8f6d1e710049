package dev.spur.simulator.trace.parsing;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;
import java.util.OptionalDouble;

/** Parser of times in trace files: seconds, or a date with a time of day. */
public final class TimeParser {
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("yyyy-MM-dd[ ]['T']HH:mm:ss[.SSSSSS][.SSS][XXX]");

    private TimeParser() {}

    /**
     * Parses {@code text} to seconds since 1970. A date without an offset is in UTC; a bare number is in seconds. Empty
     * if {@code text} is neither.
     */
    public static OptionalDouble seconds(String text) {
        OptionalDouble number = NumberParser.finite(text);
        if (number.isPresent()) {
            return number;
        }
        try {
            TemporalAccessor time = FORMAT.parseBest(text, OffsetDateTime::from, LocalDateTime::from);
            OffsetDateTime moment =
                    time instanceof OffsetDateTime zoned ? zoned : ((LocalDateTime) time).atOffset(ZoneOffset.UTC);
            return OptionalDouble.of(moment.toEpochSecond() + moment.getNano() / 1e9);
        } catch (DateTimeException noTime) {
            return OptionalDouble.empty();
        }
    }
}
