package dev.spur.cli;

import java.math.BigInteger;
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
    /** Parses the value of {@code --gpus}, whose limit is that of {@code Slots} in the contract of the service. */
    static final class SlotsConverter extends Converter {
        SlotsConverter() {
            super(100_000, "--gpus 4", "--gpus 1-4");
        }
    }

    /** Parses the value of {@code --batch}, whose limit is that of {@code BatchSize} in the contract of the service. */
    static final class BatchConverter extends Converter {
        BatchConverter() {
            super(10_000_000, "--batch 256", "--batch 64-512");
        }
    }

    /** Parses the value of an option. */
    private abstract static class Converter implements ITypeConverter<IntRange> {
        private static final Pattern FORM = Pattern.compile("(-?[0-9]+)(?:-([0-9]+))?");

        private final int limit;
        private final String single;
        private final String range;

        Converter(int limit, String single, String range) {
            this.limit = limit;
            this.single = single;
            this.range = range;
        }

        @Override
        public IntRange convert(String value) {
            Matcher match = FORM.matcher(value);
            if (!match.matches()) {
                throw new TypeConversionException(
                        "'%s' is no number and no range; expected N or MIN-MAX, such as %s or %s"
                                .formatted(value, single, range));
            }
            int min = number(match.group(1));
            int max = match.group(2) == null ? min : number(match.group(2));
            if (min > max) {
                throw new TypeConversionException(
                        "the range '%s' is reversed; expected the smaller number first, such as %s"
                                .formatted(value, range));
            }
            return new IntRange(min, max, match.group(2) == null);
        }

        private int number(String digits) {
            BigInteger number = new BigInteger(digits);
            boolean isBelow = number.signum() <= 0;
            if (isBelow || number.compareTo(BigInteger.valueOf(limit)) > 0) {
                throw new TypeConversionException("%s is %s; expected numbers from 1 to %d, such as %s or %s"
                        .formatted(digits, isBelow ? "below 1" : "above the limit", limit, single, range));
            }
            return number.intValueExact();
        }
    }
}
