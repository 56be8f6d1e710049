package dev.spur.simulator.trace.parsing;

import java.util.OptionalDouble;

/** Parser of numbers in trace files. */
final class NumberParser {
    private NumberParser() {}

    /** Parses {@code text} as a finite number; empty if it is not one. */
    static OptionalDouble finite(String text) {
        try {
            double number = Double.parseDouble(text);
            return Double.isFinite(number) ? OptionalDouble.of(number) : OptionalDouble.empty();
        } catch (NumberFormatException noNumber) {
            return OptionalDouble.empty();
        }
    }
}
