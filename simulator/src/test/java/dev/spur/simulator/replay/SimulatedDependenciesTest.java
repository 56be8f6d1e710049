package dev.spur.simulator.replay;

import static dev.spur.model.job.DependencyCondition.ENDED;
import static dev.spur.model.job.DependencyCondition.STARTED;
import static dev.spur.model.job.DependencyCondition.SUCCEEDED;
import static dev.spur.simulator.testing.Traces.cluster;
import static dev.spur.simulator.testing.Traces.job;
import static dev.spur.simulator.testing.Traces.trace;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.job.DependencyCondition;
import dev.spur.model.job.JobDependency;
import dev.spur.simulator.testing.FifoTestPolicy;
import dev.spur.simulator.trace.TraceJob;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Replays of jobs that wait for others, with slots for all of them. */
class SimulatedDependenciesTest {
    private static final ReplaySettings AT_ONCE = ReplaySettings.DEFAULT.withRounds(60, 0.0);

    private static TraceJob after(TraceJob job, String other, DependencyCondition condition) {
        return job.after(List.of(new JobDependency(other, condition)));
    }

    private static JobOutcome outcome(Replay replay, String id) {
        return replay.jobs().stream()
                .filter(one -> one.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static Replay replay(TraceJob... jobs) {
        return Replayer.replay(trace(jobs), cluster(1, 8), new FifoTestPolicy(true), AT_ONCE, ProgressListener.NONE);
    }

    @Nested
    class AJob {
        @Test
        void arrivesAtTheEndOfTheJobThatItNeeds() {
            Replay replay = replay(job("a", 0, 1000), after(job("b", 5, 100), "a", SUCCEEDED));

            double end = outcome(replay, "a").end();
            assertThat(outcome(replay, "b").arrival()).isEqualTo(end);
            assertThat(outcome(replay, "b").firstStart()).isEqualTo(end);
        }

        @Test
        void arrivesAtTheStartOfTheJobThatItNeeds() {
            Replay replay = replay(job("a", 50, 1000), after(job("b", 5, 100), "a", STARTED));

            assertThat(outcome(replay, "b").firstStart())
                    .isEqualTo(outcome(replay, "a").firstStart())
                    .isEqualTo(50);
        }

        @Test
        void followsAChain() {
            Replay replay =
                    replay(after(job("c", 0, 10), "b", ENDED), after(job("b", 0, 10), "a", ENDED), job("a", 0, 10));

            assertThat(outcome(replay, "c").firstStart())
                    .isEqualTo(outcome(replay, "b").end());
        }

        @Test
        void needsNoJobThatTheTraceLacks() {
            Replay replay = replay(after(job("b", 5, 100), "unknown", SUCCEEDED));

            assertThat(outcome(replay, "b").firstStart()).isEqualTo(5);
        }

        @Test
        void withoutDependenciesIsNotDelayed() {
            Replay replay = replay(job("a", 0, 1000), job("b", 5, 100));

            assertThat(outcome(replay, "b").firstStart()).isEqualTo(5);
        }
    }
}
