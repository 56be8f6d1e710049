package dev.spur.service.cluster;

import dev.spur.model.Checks;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import org.dmfs.rfc5545.DateTime;
import org.dmfs.rfc5545.recur.Freq;
import org.dmfs.rfc5545.recur.InvalidRecurrenceRuleException;
import org.dmfs.rfc5545.recur.RecurrenceRule;
import org.dmfs.rfc5545.recur.RecurrenceRuleIterator;
import org.jspecify.annotations.Nullable;

/**
 * Rule by which a time range repeats, as in RFC 5545, section 3.3.10. Occurrences begin at local times of the time
 * zone. A local time that a change of clocks skips is later by the skipped time; of a local time that occurs twice, the
 * first counts (section 3.3.5). A series ends at the latest with the year 2199.
 *
 * @param rule recurrence rule without {@code RRULE:}, such as {@code FREQ=WEEKLY;BYDAY=MO,TU}; its frequency is at
 *     least a day
 * @param timeZone name in the IANA time zone database, such as {@code Europe/Berlin}
 */
record Recurrence(String rule, String timeZone) {
    private static final Instant LAST = Instant.parse("2199-12-31T23:59:59Z");
    private static final Set<Freq> FREQUENCIES = EnumSet.of(Freq.DAILY, Freq.WEEKLY, Freq.MONTHLY, Freq.YEARLY);

    public Recurrence {
        Checks.nonBlank("rule", rule);
        Checks.nonBlank("timeZone", timeZone);
    }

    /** Returns why the rule is not valid; empty if it is. */
    Optional<String> ruleError() {
        try {
            return FREQUENCIES.contains(parse().getFreq())
                    ? Optional.empty()
                    : Optional.of("FREQ must be DAILY, WEEKLY, MONTHLY or YEARLY");
        } catch (InvalidRecurrenceRuleException e) {
            return Optional.of(
                    "is not a recurrence rule of RFC 5545 such as FREQ=WEEKLY;BYDAY=MO,TU: " + e.getMessage());
        }
    }

    /** Returns why the time zone is not valid; empty if it is. */
    Optional<String> timeZoneError() {
        return ZoneId.getAvailableZoneIds().contains(timeZone)
                ? Optional.empty()
                : Optional.of("is not a name of the IANA time zone database, such as Europe/Berlin");
    }

    /**
     * Returns the times at which occurrences begin, ascending, of a series whose first occurrence begins at
     * {@code first}, without those before {@code from}.
     *
     * @throws IllegalStateException if the rule or the time zone is not valid
     */
    Iterator<Instant> starts(Instant first, Instant from) {
        try {
            ZoneId zone = ZoneId.of(timeZone);
            RecurrenceRule parsed = parse();
            DateTime until = parsed.getUntil();
            if (until != null && until.isAllDay()) {
                parsed.setUntil(endOfDay(until));
            } else if (until != null && !until.isFloating()) {
                parsed.setUntil(local(Instant.ofEpochMilli(until.getTimestamp()), zone));
            }
            return new Starts(parsed.iterator(local(first, zone)), zone, from);
        } catch (InvalidRecurrenceRuleException | DateTimeException e) {
            throw new IllegalStateException("recurrence %s in time zone %s is not valid".formatted(rule, timeZone), e);
        } catch (IllegalArgumentException neverOccurs) {
            // The library searches some thousands of candidates, for instance for a 30 February, and stops.
            return Collections.emptyIterator();
        }
    }

    private RecurrenceRule parse() throws InvalidRecurrenceRuleException {
        // Other modes of the library ignore what they do not know: COUNT=0 becomes a series without end.
        return new RecurrenceRule(rule, RecurrenceRule.RfcMode.RFC5545_STRICT);
    }

    private static DateTime endOfDay(DateTime day) {
        LocalDateTime end = LocalDate.of(day.getYear(), day.getMonth() + 1, day.getDayOfMonth())
                .atTime(LocalTime.MAX);
        return local(end.toInstant(ZoneOffset.UTC), ZoneOffset.UTC);
    }

    /** Returns a local time for the library, which knows no time zone then. */
    private static DateTime local(Instant time, ZoneId zone) {
        LocalDateTime local = LocalDateTime.ofInstant(time, zone);
        return new DateTime(
                local.getYear(),
                local.getMonthValue() - 1,
                local.getDayOfMonth(),
                local.getHour(),
                local.getMinute(),
                local.getSecond());
    }

    /** Instants of the local times of the library, which gives earlier ones again after years that are far away. */
    private static final class Starts implements Iterator<Instant> {
        private final RecurrenceRuleIterator times;
        private final ZoneId zone;
        private @Nullable Instant next;

        Starts(RecurrenceRuleIterator times, ZoneId zone, Instant from) {
            this.times = times;
            this.zone = zone;
            next = following(Instant.MIN);
            while (next != null && next.isBefore(from)) {
                next = following(next);
            }
        }

        private @Nullable Instant following(Instant previous) {
            try {
                Instant start = times.hasNext() ? instant(times.nextDateTime()) : null;
                return start == null || !start.isAfter(previous) || start.isAfter(LAST) ? null : start;
            } catch (IllegalArgumentException neverAgain) {
                return null;
            }
        }

        private Instant instant(DateTime local) {
            return LocalDateTime.of(
                            local.getYear(),
                            local.getMonth() + 1,
                            local.getDayOfMonth(),
                            local.getHours(),
                            local.getMinutes(),
                            local.getSeconds())
                    .atZone(zone)
                    .toInstant();
        }

        @Override
        public boolean hasNext() {
            return next != null;
        }

        @Override
        public Instant next() {
            Instant current = next;
            if (current == null) {
                throw new NoSuchElementException("the rule has no further occurrence");
            }
            next = following(current);
            return current;
        }
    }
}
