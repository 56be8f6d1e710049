package dev.spur.model.job;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.model.json.RoundJson;
import org.junit.jupiter.api.Test;

/** What a maximum run time leaves of a job. It is 1,000; jobs do 100 samples/s and restart within 30 s. */
class TimeLimitTest {
    private static final double NOW = 1000;

    private static Job held(TimeLimit limit) {
        return job("a").remaining(1e6)
                .timeLimit(limit)
                .holding(allocation(900, piece("n1", 0, 1)))
                .build();
    }

    @Test
    void countsAllStartsOrOnlyTheCurrentOne() {
        Job running = held(TimeLimit.ofJob(600));
        double earlier = running.history().runSeconds();

        assertThat(running.secondsToLimit(NOW)).isEqualTo(600 - earlier);
        assertThat(held(TimeLimit.ofStart(600)).secondsToLimit(NOW)).isEqualTo(500);
        assertThat(held(TimeLimit.ofStart(50)).secondsToLimit(NOW)).as("over").isZero();
        assertThat(job("a").timeLimit(TimeLimit.ofStart(600)).build().secondsToLimit(NOW))
                .isEqualTo(600);
        assertThat(job("a").build().secondsToLimit(NOW)).isInfinite();
    }

    @Test
    void endsTheJobUnlessItReturnsToTheQueue() {
        TimeLimit requeues = new TimeLimit(600, TimeLimit.Span.START, TimeLimit.Action.REQUEUE);

        assertThat(held(TimeLimit.ofStart(600)).secondsToEndByLimit(NOW)).isEqualTo(500);
        assertThat(held(requeues).secondsToEndByLimit(NOW)).isInfinite();
        assertThat(held(requeues).secondsToLimit(NOW)).isEqualTo(500);
    }

    @Test
    void releasesSlotsAtTheEndOfTheWorkOrAtTheLimit() {
        assertThat(held(null).secondsToRelease(100, 0, NOW)).isEqualTo(1e4);
        assertThat(held(TimeLimit.ofStart(600)).secondsToRelease(100, 0, NOW))
                .as("and 30 s to stop")
                .isEqualTo(530);
        assertThat(held(TimeLimit.ofStart(600)).secondsToRelease(0, 0, NOW)).isEqualTo(530);
        assertThat(held(null).secondsToRelease(0, 0, NOW)).isInfinite();
    }

    @Test
    void returnsToTheQueueOnlyAfterEachStart() {
        assertThatThrownBy(() -> new TimeLimit(600, TimeLimit.Span.JOB, TimeLimit.Action.REQUEUE))
                .hasMessageContaining("onLimit (REQUEUE) requires per to be START");
        assertThatThrownBy(() -> TimeLimit.ofJob(0)).hasMessageContaining("seconds");
    }

    @Test
    void isReadFromAFileWithItsSecondsOnly() {
        assertThat(RoundJson.mapper().readValue("{\"seconds\": 60}", TimeLimit.class))
                .isEqualTo(TimeLimit.ofJob(60));
        assertThat(TimeLimit.ofStart(90_061).describe()).isEqualTo("25:01:01 for each start");
    }
}
