package dev.spur.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;
import tools.jackson.databind.node.ObjectNode;

/**
 * A maximum run time in the notation of Slurm: {@code minutes}, {@code minutes:seconds}, {@code hours:minutes:seconds},
 * {@code days-hours}, {@code days-hours:minutes} or {@code days-hours:minutes:seconds}.
 *
 * @param seconds the time in seconds; null for {@code unlimited}
 */
record SlurmTime(@Nullable Double seconds) {
    static final String FORMS = "MINUTES, H:MM:SS or D-HH:MM:SS";
    private static final Pattern WITH_DAYS =
            Pattern.compile("([0-9]{1,5})-([0-9]{1,6})(?::([0-9]{1,6}))?(?::([0-9]{1,6}))?");
    private static final Pattern WITHOUT_DAYS = Pattern.compile("([0-9]{1,7})(?::([0-9]{1,6}))?(?::([0-9]{1,6}))?");

    /** Parses the value of an option. */
    static final class Converter implements ITypeConverter<SlurmTime> {
        @Override
        public SlurmTime convert(String text) {
            return read(text);
        }
    }

    /**
     * Returns the time that {@code text} states.
     *
     * @throws TypeConversionException if it states none, or 0
     */
    static SlurmTime read(String text) {
        if (text.equalsIgnoreCase("unlimited") || text.equalsIgnoreCase("infinite")) {
            return new SlurmTime(null);
        }
        Matcher days = WITH_DAYS.matcher(text);
        Matcher plain = WITHOUT_DAYS.matcher(text);
        double seconds;
        if (days.matches()) {
            seconds = ((number(days, 1) * 24 + number(days, 2)) * 60 + number(days, 3)) * 60 + number(days, 4);
        } else if (plain.matches()) {
            seconds = plain.group(3) == null
                    ? number(plain, 1) * 60 + number(plain, 2)
                    : (number(plain, 1) * 60 + number(plain, 2)) * 60 + number(plain, 3);
        } else {
            throw new TypeConversionException(
                    "'%s' is no time; expected %s, such as 4:00:00, or unlimited".formatted(text, FORMS));
        }
        if (seconds == 0) {
            throw new TypeConversionException("the time '%s' must be above 0, such as 4:00:00".formatted(text));
        }
        return new SlurmTime(seconds);
    }

    private static double number(Matcher match, int group) {
        return match.group(group) == null ? 0 : Double.parseDouble(match.group(group));
    }

    /** Sets the maximum run time in a specification; without a limit, removes it. */
    void putInto(ObjectNode spec) {
        if (seconds == null) {
            spec.putNull("timeLimit");
        } else {
            spec.withObject("/timeLimit").put("seconds", seconds);
        }
    }

    /** Returns seconds as hours, minutes and seconds, such as {@code 4:00:00}. */
    static String text(double seconds) {
        long whole = Math.round(seconds);
        return "%d:%02d:%02d".formatted(whole / 3600, whole / 60 % 60, whole % 60);
    }
}
