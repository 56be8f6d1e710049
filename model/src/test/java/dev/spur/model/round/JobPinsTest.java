package dev.spur.model.round;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.job.Job;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobPinsTest {
    private static JobFixture running() {
        return job("a").holding(allocation(100, piece("n1", 0, 1)));
    }

    @ParameterizedTest
    @CsvSource({"0, 60, 219, true", "0, 60, 220, false", "200, 60, 299, true", "200, 60, 300, false", "0, 0, 100, false"
    })
    void aStartIsProtectedForTheMinimumRunTimeAndAtLeastTwoRestarts(
            double minRun, double penalty, double now, boolean pinned) {
        Job job = running().minRun(minRun).restartPenalty(penalty).build();

        assertThat(JobPins.of(now, List.of(job)).isPinned(job)).isEqualTo(pinned);
    }

    @Test
    void againstAHigherClassOnlyTheMinimumRunTimeCounts() {
        Job started = running().restartPenalty(60).build();
        Job stated = running().minRun(60).restartPenalty(60).build();
        Job higher = job("b").priority(1).build();
        Job equal = job("b").build();

        assertThat(JobPins.of(110, List.of(started, higher)).isPinned(started)).isFalse();
        assertThat(JobPins.of(110, List.of(started, equal)).isPinned(started)).isTrue();
        assertThat(JobPins.of(110, List.of(stated, higher)).isPinned(stated)).isTrue();
        assertThat(JobPins.of(160, List.of(stated, higher)).isPinned(stated)).isFalse();
    }

    @Test
    void aHigherClassThatDoesNotPreemptChangesNothing() {
        Job job = running().restartPenalty(60).build();
        Job higher = job("b").priority(1).neverPreempts().build();

        assertThat(JobPins.of(100, List.of(job, higher)).isPinned(job)).isTrue();
    }

    @Test
    void aJobThatIsNotPreemptibleIsPinnedWhileItRuns() {
        Job job = running().notPreemptible().build();

        assertThat(JobPins.of(1000, List.of(job)).isPinned(job)).isTrue();
        assertThat(JobPins.of(1000, List.of()).isPinned(job.withAllocation(null)))
                .isFalse();
    }
}
