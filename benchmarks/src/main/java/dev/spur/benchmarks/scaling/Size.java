package dev.spur.benchmarks.scaling;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Size of a generated round.
 *
 * @param jobs number of jobs, at least 1
 * @param slots number of accelerators, at least 1
 */
public record Size(int jobs, int slots) {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9})x(\\d{1,9})");

    public Size {
        if (jobs < 1 || slots < 1) {
            throw new IllegalArgumentException(
                    "Round size %dx%d must have at least one job and one slot".formatted(jobs, slots));
        }
    }

    /**
     * Parses a size.
     *
     * @throws IllegalArgumentException if {@code text} is not of the form {@code 1000x2048}: jobs x slots
     */
    public static Size parse(String text) {
        Matcher parts = FORM.matcher(text.strip());
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "Invalid size: %s; use JOBSxSLOTS, for example 1000x2048".formatted(text));
        }
        return new Size(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)));
    }

    @Override
    public String toString() {
        return jobs + "x" + slots;
    }
}
