package dev.spur.cli;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;
import tools.jackson.databind.node.ObjectNode;

/**
 * Earliest start of a job: an instant, or a time in the notation of {@code --begin} of Slurm. Times without a zone are
 * in that of the caller. A time of day that has passed is that of tomorrow.
 *
 * @param time the instant; null for {@code none}
 */
record BeginTime(@Nullable Instant time) {
    static final String FORMS = "now+1hour, 16:00, tomorrow, 2026-12-24T18:00:00, 2026-12-24T18:00:00Z or none";
    private static final Pattern LATER = Pattern.compile("now(?:\\+([0-9]{1,9})(second|minute|hour|day|week)?s?)?");
    private static final Pattern OF_DAY =
            Pattern.compile("([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?(?:([ap])m)?|([0-9]{1,2})([ap])m");
    private static final Pattern DATE =
            Pattern.compile("([0-9]{4})-([0-9]{2})-([0-9]{2})(?:t([0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?))?");
    private static final Map<String, ChronoUnit> UNITS = Map.of(
            "second", ChronoUnit.SECONDS,
            "minute", ChronoUnit.MINUTES,
            "hour", ChronoUnit.HOURS,
            "day", ChronoUnit.DAYS,
            "week", ChronoUnit.WEEKS);
    /** Times of day by the names of Slurm. */
    private static final Map<String, String> NAMES =
            Map.of("midnight", "0:00", "noon", "12:00", "elevenses", "11:00", "fika", "15:00", "teatime", "16:00");

    /** Parses the value of an option. */
    static final class Converter implements ITypeConverter<BeginTime> {
        @Override
        public BeginTime convert(String text) {
            return read(text);
        }
    }

    /**
     * Returns the time that {@code text} states now.
     *
     * @throws TypeConversionException if it states none
     */
    static BeginTime read(String text) {
        return read(text, ZonedDateTime.now(ZoneId.systemDefault()));
    }

    /**
     * Returns the time that {@code text} states at {@code now}.
     *
     * @throws TypeConversionException if it states none
     */
    static BeginTime read(String text, ZonedDateTime now) {
        if (text.equalsIgnoreCase("none")) {
            return new BeginTime(null);
        }
        try {
            return new BeginTime(instant(text.toLowerCase(Locale.ROOT), now));
        } catch (DateTimeException noTime) {
            throw new TypeConversionException("'%s' is no time; expected %s".formatted(text, FORMS));
        }
    }

    /** Sets the earliest start of a job; without one, removes it. */
    void putInto(ObjectNode job) {
        job.put("notBefore", time == null ? null : time.toString());
    }

    private static Instant instant(String text, ZonedDateTime now) {
        Matcher later = LATER.matcher(text);
        if (later.matches()) {
            long amount = later.group(1) == null ? 0 : Long.parseLong(later.group(1));
            ChronoUnit unit = later.group(2) == null ? ChronoUnit.SECONDS : UNITS.get(later.group(2));
            return now.plus(amount, unit).truncatedTo(ChronoUnit.SECONDS).toInstant();
        }
        if (text.equals("today") || text.equals("tomorrow")) {
            return now.toLocalDate()
                    .plusDays(text.equals("today") ? 0 : 1)
                    .atStartOfDay(now.getZone())
                    .toInstant();
        }
        Matcher date = DATE.matcher(text);
        if (date.matches()) {
            LocalDate day = LocalDate.of(number(date, 1), number(date, 2), number(date, 3));
            LocalTime time = date.group(4) == null ? LocalTime.MIDNIGHT : ofDay(date.group(4));
            return day.atTime(time).atZone(now.getZone()).toInstant();
        }
        if (text.matches("[0-9]{4}-.*")) {
            return Instant.parse(text.toUpperCase(Locale.ROOT));
        }
        ZonedDateTime today = now.with(ofDay(NAMES.getOrDefault(text, text)));
        return (today.isBefore(now) ? today.plusDays(1) : today).toInstant();
    }

    private static LocalTime ofDay(String text) {
        Matcher match = OF_DAY.matcher(text);
        if (!match.matches()) {
            throw new DateTimeException(text);
        }
        boolean isShort = match.group(5) != null;
        String half = isShort ? match.group(6) : match.group(4);
        int hour = number(match, isShort ? 5 : 1);
        if (half != null && (hour < 1 || hour > 12)) {
            throw new DateTimeException(text);
        }
        return LocalTime.of(
                half == null ? hour : hour % 12 + (half.equals("p") ? 12 : 0), number(match, 2), number(match, 3));
    }

    private static int number(Matcher match, int group) {
        return match.group(group) == null ? 0 : Integer.parseInt(match.group(group));
    }
}
