package dev.spur.benchmarks.scaling;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How large a generated round is.
 *
 * @param jobs number of jobs, at least 1
 * @param slots number of accelerators, at least 1
 */
public record Size(int jobs, int slots) {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9})x(\\d{1,9})");

    public Size {
        if (jobs < 1 || slots < 1) {
            throw new IllegalArgumentException("a round of %dx%d has no jobs or no slots".formatted(jobs, slots));
        }
    }

    /** @throws IllegalArgumentException if {@code text} is not of the form {@code 1000x2048}: jobs x slots */
    public static Size parse(String text) {
        Matcher parts = FORM.matcher(text.strip());
        if (!parts.matches()) {
            throw new IllegalArgumentException("%s is no size; write jobs x slots as in 1000x2048".formatted(text));
        }
        return new Size(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)));
    }

    @Override
    public String toString() {
        return jobs + "x" + slots;
    }
}
