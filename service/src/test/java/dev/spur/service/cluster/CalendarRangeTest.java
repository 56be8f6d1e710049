package dev.spur.service.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.web.contract.FieldError;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Times that repeat: occurrences over changes of clocks, overlaps, and rules that are not valid. */
class CalendarRangeTest {
    private static final Instant PAST = Instant.parse("2020-01-01T00:00:00Z");

    private static CalendarRange range(String start, String end, String rule, String timeZone) {
        return new CalendarRange(Instant.parse(start), Instant.parse(end), new Recurrence(rule, timeZone));
    }

    private static List<String> starts(CalendarRange range, String from, int count) {
        List<String> starts = new ArrayList<>();
        Instant now = Instant.parse(from);
        for (int i = 0; i < count && range.at(now).isPresent(); i++) {
            Occurrence occurrence = range.at(now).orElseThrow();
            starts.add(occurrence.start().toString());
            now = occurrence.end();
        }
        return starts;
    }

    private static List<String> errors(CalendarRange range) {
        List<FieldError> errors = new ArrayList<>();
        range.check(errors);
        return errors.stream().map(FieldError::message).toList();
    }

    @Test
    void localTimesStayWhenClocksChange() {
        // Clocks of Berlin go from 02:00 to 03:00 on 29 March 2026, and from 03:00 to 02:00 on 25 October 2026.
        CalendarRange nights = range("2026-03-27T21:00:00Z", "2026-03-27T23:00:00Z", "FREQ=DAILY", "Europe/Berlin");
        assertThat(starts(nights, "2026-03-27T00:00:00Z", 3))
                .containsExactly("2026-03-27T21:00:00Z", "2026-03-28T21:00:00Z", "2026-03-29T20:00:00Z");
        assertThat(starts(nights, "2026-10-24T00:00:00Z", 2))
                .containsExactly("2026-10-24T20:00:00Z", "2026-10-25T21:00:00Z");
    }

    @Test
    void aSkippedTimeIsLaterAndOfARepeatedTimeTheFirstCounts() {
        CalendarRange skipped = range("2026-03-28T01:30:00Z", "2026-03-28T02:00:00Z", "FREQ=DAILY", "Europe/Berlin");
        assertThat(starts(skipped, "2026-03-28T00:00:00Z", 3))
                .containsExactly("2026-03-28T01:30:00Z", "2026-03-29T01:30:00Z", "2026-03-30T00:30:00Z");
        CalendarRange repeated = range("2026-10-24T00:30:00Z", "2026-10-24T01:00:00Z", "FREQ=DAILY", "Europe/Berlin");
        assertThat(starts(repeated, "2026-10-24T00:00:00Z", 3))
                .containsExactly("2026-10-24T00:30:00Z", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z");
    }

    @ParameterizedTest
    @CsvSource({
        "FREQ=DAILY;COUNT=2, 2026-12-01T21:00:00Z 2026-12-02T21:00:00Z",
        "FREQ=DAILY;UNTIL=20261203T210000Z, 2026-12-01T21:00:00Z 2026-12-02T21:00:00Z 2026-12-03T21:00:00Z",
        "FREQ=DAILY;UNTIL=20261203T205959Z, 2026-12-01T21:00:00Z 2026-12-02T21:00:00Z",
        "'FREQ=WEEKLY;BYDAY=TU,FR;COUNT=3', 2026-12-01T21:00:00Z 2026-12-04T21:00:00Z 2026-12-08T21:00:00Z",
        "FREQ=MONTHLY;BYDAY=1TU;COUNT=2, 2026-12-01T21:00:00Z 2027-01-05T21:00:00Z",
        "FREQ=DAILY;UNTIL=20261202, 2026-12-01T21:00:00Z 2026-12-02T21:00:00Z",
        "FREQ=YEARLY;INTERVAL=100, 2026-12-01T21:00:00Z 2126-12-01T21:00:00Z",
        "FREQ=YEARLY;INTERVAL=400, 2026-12-01T21:00:00Z",
        "FREQ=MONTHLY;INTERVAL=12000, 2026-12-01T21:00:00Z",
    })
    void aSeriesEnds(String rule, String expected) {
        CalendarRange range = range("2026-12-01T21:00:00Z", "2026-12-01T23:00:00Z", rule, "Europe/Berlin");
        assertThat(errors(range)).isEmpty();
        assertThat(starts(range, "2026-11-01T00:00:00Z", 10)).containsExactly(expected.split(" "));
    }

    @Test
    void theActiveOccurrenceComesFirst() {
        CalendarRange range = range("2026-12-01T21:00:00Z", "2026-12-02T03:00:00Z", "FREQ=DAILY", "UTC");
        assertThat(range.at(Instant.parse("2027-05-03T02:59:59Z")).orElseThrow().start())
                .isEqualTo("2027-05-02T21:00:00Z");
        assertThat(range.at(Instant.parse("2027-05-03T03:00:00Z")).orElseThrow().start())
                .isEqualTo("2027-05-03T21:00:00Z");
    }

    @ParameterizedTest
    @CsvSource({
        "FREQ=DAILY, 2026-12-11T22:00:00Z, 2026-12-11T22:30:00Z, true",
        "FREQ=DAILY, 2026-12-11T23:00:00Z, 2026-12-12T21:00:00Z, false",
        "FREQ=WEEKLY, 2026-12-11T22:00:00Z, 2026-12-11T22:30:00Z, false",
        "FREQ=WEEKLY, 2026-12-11T22:00:00Z, 2026-12-16T22:30:00Z, true",
        "FREQ=DAILY;COUNT=3, 2026-12-11T22:00:00Z, 2026-12-11T22:30:00Z, false",
        "FREQ=DAILY, 2090-12-11T22:00:00Z, 2090-12-11T22:30:00Z, true",
    })
    void overlapsAreFoundInEachOccurrence(String rule, String start, String end, boolean expected) {
        CalendarRange series = range("2026-12-01T21:00:00Z", "2026-12-01T23:00:00Z", rule, "UTC");
        CalendarRange once = new CalendarRange(Instant.parse(start), Instant.parse(end), null);
        assertThat(series.overlaps(once, PAST)).isEqualTo(expected);
        assertThat(once.overlaps(series, PAST)).isEqualTo(expected);
    }

    @Test
    void twoSeriesMayAlternate() {
        CalendarRange even = range("2026-12-01T21:00:00Z", "2026-12-01T23:00:00Z", "FREQ=DAILY;INTERVAL=2", "UTC");
        CalendarRange odd = range("2026-12-02T21:00:00Z", "2026-12-02T23:00:00Z", "FREQ=DAILY;INTERVAL=2", "UTC");
        CalendarRange third = range("2026-12-02T21:00:00Z", "2026-12-02T23:00:00Z", "FREQ=DAILY;INTERVAL=3", "UTC");
        assertThat(even.overlaps(odd, PAST)).isFalse();
        assertThat(even.overlaps(third, PAST)).isTrue();
        assertThat(even.overlaps(new CalendarRange(null, null, null), PAST)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "FREQ=DAYLY, UTC, is not a recurrence rule of RFC 5545",
        "RRULE:FREQ=DAILY, UTC, is not a recurrence rule of RFC 5545",
        "FREQ=DAILY;COUNT=0, UTC, is not a recurrence rule of RFC 5545",
        "FREQ=HOURLY, UTC, 'FREQ must be DAILY, WEEKLY, MONTHLY or YEARLY'",
        "FREQ=DAILY, Europe/Berlyn, is not a name of the IANA time zone database",
        "FREQ=WEEKLY;BYDAY=FR, UTC, its first time from then on is 2026-12-04T21:00:00Z",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30, UTC, has no occurrence from start",
        "FREQ=DAILY;UNTIL=20261101T000000Z, UTC, has no occurrence from start",
    })
    void mistakesAreNamed(String rule, String timeZone, String expected) {
        assertThat(errors(range("2026-12-01T21:00:00Z", "2026-12-01T23:00:00Z", rule, timeZone)))
                .singleElement()
                .asString()
                .contains(expected);
    }

    @Test
    void occurrencesMustNotOverlapEachOther() {
        assertThat(errors(range("2026-12-01T21:00:00Z", "2026-12-02T22:00:00Z", "FREQ=DAILY", "UTC")))
                .containsExactly(
                        "an occurrence lasts PT25H, and that of 2026-12-02T21:00:00Z begins only PT24H after the"
                                + " one before it");
        // The night of the change to summer time has 23 hours.
        assertThat(errors(range("2026-12-01T21:00:00Z", "2026-12-02T21:00:00Z", "FREQ=DAILY", "Europe/Berlin")))
                .singleElement()
                .asString()
                .contains("that of 2027-03-28T20:00:00Z begins only PT23H after");
    }

    @Test
    void laterOccurrencesBeginWithinTheHorizon() {
        CalendarRange nights = range("2026-12-01T21:00:00Z", "2026-12-01T23:00:00Z", "FREQ=DAILY", "UTC");
        Instant now = Instant.parse("2026-12-01T22:00:00Z");

        assertThat(nights.following(now, Instant.parse("2026-12-03T21:00:01Z")))
                .extracting(next -> next.start().toString())
                .containsExactly("2026-12-02T21:00:00Z", "2026-12-03T21:00:00Z");
        assertThat(nights.following(now, Instant.parse("2026-12-02T21:00:00Z"))).isEmpty();
        assertThat(new CalendarRange(now, null, null).following(now, Instant.MAX))
                .isEmpty();
    }
}
