package dev.spur.benchmarks.reality;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Seeds of a command line, such as {@code 1-4,101}.
 *
 * @param seeds seeds in the order of the text
 */
public record SeedRanges(List<Long> seeds) {
    public SeedRanges {
        seeds = List.copyOf(seeds);
    }

    /** Reader of such a text. */
    public static final class Converter implements ITypeConverter<SeedRanges> {
        @Override
        public SeedRanges convert(String text) {
            List<Long> seeds = new ArrayList<>();
            try {
                for (String range : text.split(",", -1)) {
                    String[] bounds = range.split("-", 2);
                    long first = Long.parseLong(bounds[0]);
                    long last = Long.parseLong(bounds[bounds.length - 1]);
                    if (last < first) {
                        throw new NumberFormatException(range);
                    }
                    LongStream.rangeClosed(first, last).forEach(seeds::add);
                }
            } catch (NumberFormatException e) {
                throw new TypeConversionException(
                        "'%s' is not a list of seeds and ranges such as 1-4,101".formatted(text));
            }
            return new SeedRanges(seeds);
        }
    }
}
