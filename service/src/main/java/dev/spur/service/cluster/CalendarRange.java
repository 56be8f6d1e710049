package dev.spur.service.cluster;

import dev.spur.service.web.contract.FieldError;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Time range of a reservation or maintenance window, which may repeat. Each occurrence lasts as long as the first.
 *
 * @param start start of the first occurrence, inclusive; null if it has always begun
 * @param end end of the first occurrence, exclusive; null if it never ends
 * @param recurrence rule by which it repeats, with {@code start} and {@code end}; null if it does not
 */
public record CalendarRange(
        @Nullable Instant start,
        @Nullable Instant end,
        @Nullable Recurrence recurrence) {
    /** Occurrences that are compared with others and with each other; later ones are not. */
    private static final int COMPARED = 1_000;

    /** Returns the occurrence that is active at {@code now}, or else the next one; empty after the last. */
    public Optional<Occurrence> at(Instant now) {
        Iterator<Occurrence> ahead = from(now);
        return ahead.hasNext() ? Optional.of(ahead.next()) : Optional.empty();
    }

    /** Returns the active or next occurrence of a time that repeats; null after the last, and if it does not repeat. */
    public @Nullable Occurrence occurrenceAt(Instant now) {
        return recurrence == null ? null : at(now).orElse(null);
    }

    /** Returns the occurrences after the one at {@code now} that begin before {@code until}; none without a rule. */
    List<Occurrence> following(Instant now, Instant until) {
        List<Occurrence> occurrences = new ArrayList<>();
        Iterator<Occurrence> ahead = recurrence == null ? Collections.emptyIterator() : from(now);
        if (ahead.hasNext()) {
            ahead.next();
        }
        while (ahead.hasNext()) {
            Occurrence next = ahead.next();
            if (!next.start().isBefore(until)) {
                break;
            }
            occurrences.add(next);
        }
        return occurrences;
    }

    private static Instant later(Instant now, @Nullable Instant first) {
        return first == null || first.isBefore(now) ? now : first;
    }

    /**
     * Returns whether occurrences of both that end after {@code now} overlap, among the first 1,000 of each after the
     * later of both starts.
     */
    boolean overlaps(CalendarRange other, Instant now) {
        Iterator<Occurrence> mine = from(later(now, other.start));
        Iterator<Occurrence> theirs = other.from(later(now, start));
        if (!mine.hasNext() || !theirs.hasNext()) {
            return false;
        }
        Occurrence left = mine.next();
        Occurrence right = theirs.next();
        for (int i = 0; i < 2 * COMPARED; i++) {
            if (left.overlaps(right)) {
                return true;
            }
            boolean isLeftFirst = left.end().isBefore(right.end());
            Iterator<Occurrence> behind = isLeftFirst ? mine : theirs;
            if (!behind.hasNext()) {
                return false;
            }
            if (isLeftFirst) {
                left = behind.next();
            } else {
                right = behind.next();
            }
        }
        return false;
    }

    /** Adds what is wrong with the rule, the time zone, and the first occurrence. */
    public void check(List<FieldError> errors) {
        if (recurrence == null) {
            return;
        }
        Optional<String> ruleError = recurrence.ruleError();
        Optional<String> timeZoneError = recurrence.timeZoneError();
        ruleError.ifPresent(error -> errors.add(FieldError.at("/recurrence/rule", error)));
        timeZoneError.ifPresent(error -> errors.add(FieldError.at("/recurrence/timeZone", error)));
        if (start == null) {
            errors.add(FieldError.at("/start", "is required with recurrence: the first occurrence begins there"));
        }
        if (end == null) {
            errors.add(
                    FieldError.at("/end", "is required with recurrence: each occurrence lasts as long as the first"));
        }
        if (ruleError.isEmpty() && timeZoneError.isEmpty() && start != null && end != null) {
            checkOccurrences(recurrence, start, Duration.between(start, end), errors);
        }
    }

    private static void checkOccurrences(
            Recurrence recurrence, Instant first, Duration length, List<FieldError> errors) {
        Iterator<Instant> starts = recurrence.starts(first, first);
        if (!starts.hasNext()) {
            errors.add(FieldError.at("/recurrence/rule", "has no occurrence from start (%s) on".formatted(first)));
            return;
        }
        Instant last = starts.next();
        if (!last.equals(first)) {
            errors.add(FieldError.at(
                    "/start",
                    "is not a time of the rule in time zone %s; its first time from then on is %s"
                            .formatted(recurrence.timeZone(), last)));
        }
        for (int i = 1; i < COMPARED && starts.hasNext(); i++) {
            Instant next = starts.next();
            if (next.isBefore(last.plus(length))) {
                errors.add(FieldError.at(
                        "/end",
                        "an occurrence lasts %s, and that of %s begins only %s after the one before it"
                                .formatted(length, next, Duration.between(last, next))));
                return;
            }
            last = next;
        }
    }

    /** Returns the occurrences that end after {@code now}, ascending. */
    private Iterator<Occurrence> from(Instant now) {
        if (recurrence == null || start == null || end == null) {
            return end == null || now.isBefore(end)
                    ? List.of(new Occurrence(start == null ? Instant.MIN : start, end == null ? Instant.MAX : end))
                            .iterator()
                    : Collections.emptyIterator();
        }
        Duration length = Duration.between(start, end);
        return new FutureOccurrences(recurrence.starts(start, now.minus(length)), length, now);
    }

    /** Occurrences of a rule that end after a time. */
    private static final class FutureOccurrences implements Iterator<Occurrence> {
        private final Iterator<Instant> starts;
        private final Duration length;
        private @Nullable Occurrence next;

        FutureOccurrences(Iterator<Instant> starts, Duration length, Instant now) {
            this.starts = starts;
            this.length = length;
            do {
                next = following();
            } while (next != null && !now.isBefore(next.end()));
        }

        private @Nullable Occurrence following() {
            if (!starts.hasNext()) {
                return null;
            }
            Instant begin = starts.next();
            return new Occurrence(begin, begin.plus(length));
        }

        @Override
        public boolean hasNext() {
            return next != null;
        }

        @Override
        public Occurrence next() {
            if (next == null) {
                throw new NoSuchElementException("no further occurrence");
            }
            Occurrence current = next;
            next = following();
            return current;
        }
    }
}
