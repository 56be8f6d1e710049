package dev.spur.simulator.trace.parsing;

import java.util.OptionalDouble;

/** Numbers as files write them. */
final class NumberParser {
    private NumberParser() {}

    /** The finite number that {@code text} is; empty if it is none. */
    static OptionalDouble finite(String text) {
        try {
            double number = Double.parseDouble(text);
            return Double.isFinite(number) ? OptionalDouble.of(number) : OptionalDouble.empty();
        } catch (NumberFormatException noNumber) {
            return OptionalDouble.empty();
        }
    }
}
