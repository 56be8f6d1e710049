package dev.spur.simulator.trace.parsing;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.commons.csv.CSVRecord;

/** Row of a table. A missing cell, and a cell with a placeholder for a missing value, is empty. */
public final class Row {
    private static final Set<String> NOTHING = Set.of("", "nan", "none", "null", "na", "n/a", "nat", "unknown");

    private final CSVRecord cells;

    Row(CSVRecord cells) {
        this.cells = cells;
    }

    /** Returns the position of the row in its file, from 1 without the header. */
    public long number() {
        return cells.getRecordNumber();
    }

    /** Returns the number of cells, including empty ones. */
    public int size() {
        return cells.size();
    }

    /**
     * Returns the cell without surrounding space; empty if there is none, or one of {@code nan}, {@code None} and the
     * like.
     */
    public Optional<String> text(String column) {
        if (!cells.isMapped(column) || !cells.isSet(column)) {
            return Optional.empty();
        }
        String text = cells.get(column).strip();
        return NOTHING.contains(text.toLowerCase(java.util.Locale.ROOT)) ? Optional.empty() : Optional.of(text);
    }

    /** Returns the finite number in the cell; empty if there is none. */
    public OptionalDouble number(String column) {
        Optional<String> text = text(column);
        return text.isEmpty() ? OptionalDouble.empty() : NumberParser.finite(text.get());
    }

    /**
     * Returns the number in the cell, rounded to the nearest integer, since files may write counts with a decimal
     * point; empty if there is none.
     */
    public OptionalInt count(String column) {
        OptionalDouble number = number(column);
        return number.isEmpty() ? OptionalInt.empty() : OptionalInt.of((int) Math.round(number.getAsDouble()));
    }

    /** Returns the time in the cell in seconds since 1970; empty if there is none. */
    public OptionalDouble seconds(String column) {
        Optional<String> text = text(column);
        return text.isEmpty() ? OptionalDouble.empty() : TimeParser.seconds(text.get());
    }

    /** Returns the seconds from the time in one cell to that in another; empty if one has none. */
    public OptionalDouble secondsBetween(String start, String end) {
        OptionalDouble from = seconds(start);
        OptionalDouble to = seconds(end);
        return from.isPresent() && to.isPresent()
                ? OptionalDouble.of(to.getAsDouble() - from.getAsDouble())
                : OptionalDouble.empty();
    }

    @Override
    public String toString() {
        return String.join(",", cells.values());
    }
}
