package dev.spur.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.ProblemFixture;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.round.RoundProblem;
import dev.spur.simulator.testing.Traces;
import dev.spur.simulator.trace.StateTrace;
import dev.spur.solver.policy.Policies;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Replays in which nodes open and close by the calendar. Rounds follow what happens at once; starts take no time. */
class CalendarTest {
    private static final ReplaySettings AT_ONCE = ReplaySettings.DEFAULT.withRounds(1e6, 0.0);

    private static ProblemFixture cluster() {
        return ProblemFixture.problem().node("a100-0", 1);
    }

    private static Replay replay(ProblemFixture cluster) {
        RoundProblem state = cluster.build();
        return Replayer.replay(
                StateTrace.of("state", state),
                ClusterConfig.of(state),
                Policies.greedy(),
                AT_ONCE,
                ProgressListener.NONE);
    }

    @Test
    void aJobThatWouldNotBeDoneBeforeMaintenanceWaitsForItsEnd() {
        Replay replay = replay(cluster()
                .maintenance(90, 400, "a100-0")
                .job(Traces.request("a", 1, 100).restartPenalty(0).notPreemptible()));

        assertThat(replay.jobs().get(0).firstStart()).isEqualTo(400);
        assertThat(replay.jobs().get(0).end()).isEqualTo(500);
    }

    @Test
    void aJobThatRunsLeavesWhenTheNodeDrainsAndGoesOnAtTheEnd() {
        Replay replay = replay(cluster()
                .maintenance(90, 400, "a100-0")
                .job(Traces.request("a", 1, 100).restartPenalty(0)));

        assertThat(replay.allocationIntervals())
                .extracting(AllocationInterval::start)
                .containsExactly(0.0, 400.0);
        assertThat(replay.allocationIntervals())
                .extracting(AllocationInterval::end)
                .containsExactly(30.0, 470.0);
    }

    @Test
    void aReservationForAJobEndsWithIt() {
        Replay replay = replay(cluster()
                .reservation(new Reservation("r", List.of("a100-0"), "root", 0.0, 10_000.0, "b", null))
                .job(Traces.request("a", 1, 100).restartPenalty(0))
                .job(Traces.request("b", 1, 100).restartPenalty(0)));

        assertThat(replay.jobs()).extracting(done -> done.firstStart()).containsExactly(100.0, 0.0);
    }

    @Test
    void aReservationIsAnEventToo() {
        Replay replay = replay(cluster()
                .tenant("x", "root", null)
                .reservation(new Reservation("r", List.of("a100-0"), "x", 0, 250))
                .job(Traces.request("a", 1, 100).restartPenalty(0)));

        assertThat(replay.jobs().get(0).firstStart()).isEqualTo(250);
    }
}
