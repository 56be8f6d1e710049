package dev.spur.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Range of whole numbers above 0, such as 1-4, or a single number.
 *
 * @param min lower limit, included
 * @param max upper limit, included
 * @param single true for a single number, which is both limits
 */
record IntRange(int min, int max, boolean single) {
    /** Parses the value of an option. */
    static final class Converter implements ITypeConverter<IntRange> {
        private static final Pattern FORM = Pattern.compile("([1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8}))?");

        @Override
        public IntRange convert(String value) {
            Matcher match = FORM.matcher(value);
            if (match.matches()) {
                int min = Integer.parseInt(match.group(1));
                int max = match.group(2) == null ? min : Integer.parseInt(match.group(2));
                if (min <= max) {
                    return new IntRange(min, max, match.group(2) == null);
                }
            }
            throw new TypeConversionException(
                    "'%s' is no number and no range; expected N or MIN-MAX, such as 4 or 1-4".formatted(value));
        }
    }
}
