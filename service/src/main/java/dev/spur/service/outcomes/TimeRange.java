package dev.spur.service.outcomes;

import dev.spur.service.database.Rows;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Range of times, not in the future. The range of a request is not empty.
 *
 * @param since start, inclusive
 * @param until end, exclusive
 */
record TimeRange(Instant since, Instant until) {
    private static final Duration USUAL = Duration.ofDays(1);
    private static final Duration LONGEST = Duration.ofDays(366);

    /**
     * Returns the range of a request. The end is at most now, which is also its default; the start is one day earlier
     * by default.
     *
     * @throws ProblemException 400 if the range is empty or longer than 366 days
     */
    static TimeRange of(Optional<Instant> since, Optional<Instant> until) {
        Instant now = Clock.systemUTC().instant().truncatedTo(ChronoUnit.MILLIS);
        Instant end = until.filter(time -> time.isBefore(now)).orElse(now);
        Instant start = since.orElse(end.minus(USUAL));
        List<FieldError> errors = new ArrayList<>();
        if (!start.isBefore(end)) {
            errors.add(
                    FieldError.inParameter("since", "must be before the end of the range, which is %s".formatted(end)));
        } else if (Duration.between(start, end).compareTo(LONGEST) > 0) {
            errors.add(FieldError.inParameter(
                    "since", "must be at most %d days before until".formatted(LONGEST.toDays())));
        }
        if (!errors.isEmpty()) {
            throw ProblemException.of(ProblemType.INVALID_REQUEST, errors);
        }
        return new TimeRange(start, end);
    }

    /** Returns the part of this range from {@code begin} on; its length is 0 if the range ends before. */
    TimeRange from(Instant begin) {
        Instant latest = begin.isAfter(until) ? until : begin;
        return latest.isAfter(since) ? new TimeRange(latest, until) : this;
    }

    double sinceSeconds() {
        return Rows.seconds(since);
    }

    double untilSeconds() {
        return Rows.seconds(until);
    }

    double seconds() {
        return untilSeconds() - sinceSeconds();
    }

    /** Returns the start and the end as parameters of a query. */
    List<Object> parameters() {
        return List.of(since.atOffset(ZoneOffset.UTC), until.atOffset(ZoneOffset.UTC));
    }
}
