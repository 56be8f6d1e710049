package dev.spur.simulator.trace.parsing;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;
import java.util.OptionalDouble;

/** Times as files write them: seconds, or a date with a time of day. */
public final class TimeParser {
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("yyyy-MM-dd[ ]['T']HH:mm:ss[.SSSSSS][.SSS][XXX]");

    private TimeParser() {}

    /**
     * Seconds since 1970; a date without an offset is taken as UTC, and a bare number is taken as seconds. Empty if
     * {@code text} is none of these.
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
