package dev.spur.service.cluster;

import dev.spur.model.Checks;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
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

/**
 * Rule by which a time range repeats, as in RFC 5545, section 3.3.10. Occurrences begin at local times of the time
 * zone. A local time that a change of clocks skips is later by the skipped time; of a local time that occurs twice, the
 * first counts (section 3.3.5).
 *
 * @param rule recurrence rule without {@code RRULE:}, such as {@code FREQ=WEEKLY;BYDAY=MO,TU}; its frequency is at
 *     least a day
 * @param timeZone name in the IANA time zone database, such as {@code Europe/Berlin}
 */
record Recurrence(String rule, String timeZone) {
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
     * {@code first}. Those before {@code from} may be left out.
     *
     * @throws IllegalStateException if the rule or the time zone is not valid
     */
    Iterator<Instant> starts(Instant first, Instant from) {
        try {
            ZoneId zone = ZoneId.of(timeZone);
            RecurrenceRule parsed = parse();
            DateTime until = parsed.getUntil();
            if (until != null && !until.isFloating() && !until.isAllDay()) {
                parsed.setUntil(local(Instant.ofEpochMilli(until.getTimestamp()), zone));
            }
            RecurrenceRuleIterator times = parsed.iterator(local(first, zone));
            if (from.isAfter(first)) {
                times.fastForward(local(from, zone));
            }
            return new Starts(times, zone);
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

    /** Local times of the library at instants of a time zone. */
    private record Starts(RecurrenceRuleIterator times, ZoneId zone) implements Iterator<Instant> {
        @Override
        public boolean hasNext() {
            try {
                return times.hasNext();
            } catch (IllegalArgumentException neverAgain) {
                return false;
            }
        }

        @Override
        public Instant next() {
            if (!hasNext()) {
                throw new NoSuchElementException("the rule has no further occurrence");
            }
            DateTime local = times.nextDateTime();
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
    }
}
