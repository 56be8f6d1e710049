package dev.spur.benchmarks.scaling;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;

/**
 * Size of a generated round with its time limits.
 *
 * @param size jobs and slots
 * @param budgets time limits in seconds; each is measured on the same round
 */
public record SizeBudgets(Size size, List<Double> budgets) {
    public SizeBudgets {
        budgets = List.copyOf(budgets);
    }

    /**
     * Parses a size such as {@code 1000x2048}, or one with its own time limits such as {@code 1000x2048@0.5/2/20}.
     *
     * @param budgets time limits of a size without its own
     * @throws IllegalArgumentException if {@code text} has another form
     */
    public static SizeBudgets parse(String text, List<Double> budgets) {
        int at = text.indexOf('@');
        if (at < 0) {
            return new SizeBudgets(Size.parse(text), budgets);
        }
        return new SizeBudgets(
                Size.parse(text.substring(0, at)),
                Arrays.stream(text.substring(at + 1).split("/", -1))
                        .map(Double::valueOf)
                        .toList());
    }

    /** Returns a time limit as the command line has it, without trailing zeros. */
    public static String text(double seconds) {
        return BigDecimal.valueOf(seconds).stripTrailingZeros().toPlainString();
    }
}
