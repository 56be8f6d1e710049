package dev.spur.service.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.round.RoundSettings;
import dev.spur.service.cluster.Settings;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RoundScheduleTest {
    private final RoundSchedule schedule = new RoundSchedule();

    @Test
    void noRoundIsDueWithoutARequest() throws Exception {
        CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS).execute(schedule::stop);

        assertThat(schedule.awaitDue()).as("stopped before a round was due").isNull();
    }

    @Test
    void whoAsksIsNamedBeforeWhatChanged() throws Exception {
        schedule.requestRound("a job was submitted");
        schedule.demand("takeover");

        assertThat(schedule.awaitDue()).isEqualTo("takeover");
    }

    @Test
    void theFirstOfManyChangesIsNamed() throws Exception {
        schedule.pace(new Settings(RoundSettings.DEFAULT, 60, 0.1, false));
        schedule.requestRound("a job was submitted");
        schedule.requestRound("a job was cancelled");

        assertThat(schedule.awaitDue()).isEqualTo("change: a job was submitted");
    }

    @Test
    void aNodeThatOpensOrClosesIsSeenAtItsTime() throws Exception {
        schedule.demand("first");
        assertThat(schedule.awaitDue()).isEqualTo("first");
        schedule.opens(0.05);

        assertThat(schedule.awaitDue())
                .as("long before the period of a minute ends")
                .isEqualTo("calendar");
    }
}
