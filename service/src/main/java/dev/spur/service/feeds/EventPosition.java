package dev.spur.service.feeds;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Position in the log of events, which is ordered by transaction and number.
 *
 * @param transaction transaction that added the event
 * @param number number of the event; 0 for the publication of a plan
 */
record EventPosition(long transaction, long number) implements Comparable<EventPosition> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,18})-(\\d{1,18})");
    private static final Comparator<EventPosition> ORDER =
            Comparator.comparingLong(EventPosition::transaction).thenComparingLong(EventPosition::number);

    public EventPosition {
        if (transaction < 0 || number < 0) {
            throw new IllegalArgumentException("position (%d-%d) is negative".formatted(transaction, number));
        }
    }

    /** Returns the position that {@code id} denotes; empty if it is not the id of an event. */
    public static Optional<EventPosition> parse(String id) {
        Matcher parts = FORM.matcher(id);
        return parts.matches()
                ? Optional.of(new EventPosition(Long.parseLong(parts.group(1)), Long.parseLong(parts.group(2))))
                : Optional.empty();
    }

    @Override
    public int compareTo(EventPosition other) {
        return ORDER.compare(this, other);
    }

    /** The id of the event at this position. */
    @Override
    public String toString() {
        return transaction + "-" + number;
    }
}
