package dev.spur.simulator.replay;

import static dev.spur.simulator.testing.Traces.cluster;
import static dev.spur.simulator.testing.Traces.job;
import static dev.spur.simulator.testing.Traces.trace;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import dev.spur.simulator.testing.FifoTestPolicy;
import org.junit.jupiter.api.Test;

class ReplayEndTest {
    private static final ReplaySettings SETTINGS = ReplaySettings.DEFAULT.withEnd(86_400, 90);

    @Test
    void aJobThatRunsThenIsUnfinishedAndItsAllocationEndsThen() {
        Replay replay = replay(SETTINGS);

        assertThat(replay.jobs()).extracting(JobOutcome::end).containsExactly(50.0, null);
        assertThat(replay.jobs().get(1).slotSeconds()).isEqualTo(90);
        assertThat(replay.allocationIntervals())
                .extracting(AllocationInterval::jobId, AllocationInterval::start, AllocationInterval::end)
                .containsExactly(
                        tuple("a", 0.0, 50.0),
                        tuple("b", 0.0, 90.0));
    }

    @Test
    void noRoundFollows() {
        assertThat(replay(SETTINGS).rounds()).extracting(RoundSample::time).containsExactly(0.0, 60.0);
    }

    @Test
    void jobsThatEndEarlierAreUnaffected() {
        assertThat(replay(SETTINGS.withEnd(86_400, 1_000)).jobs())
                .isEqualTo(replay(ReplaySettings.DEFAULT).jobs());
    }

    @Test
    void itIsAfterTheStart() {
        assertThatThrownBy(() -> SETTINGS.withEnd(86_400, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("endSeconds (0.0)");
    }

    private static Replay replay(ReplaySettings settings) {
        return Replayer.replay(
                trace(job("a", 0, 50), job("b", 0, 100)),
                cluster(1, 2),
                new FifoTestPolicy(false),
                settings,
                ProgressListener.NONE);
    }
}
