package dev.spur.simulator.replay;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.simulator.testing.Traces.cluster;
import static dev.spur.simulator.testing.Traces.job;
import static dev.spur.simulator.testing.Traces.request;
import static dev.spur.simulator.testing.Traces.trace;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.job.Job;
import dev.spur.model.job.TimeLimit;
import dev.spur.simulator.testing.FifoTestPolicy;
import dev.spur.simulator.testing.TestGroundTruth;
import dev.spur.simulator.trace.PolicyViewModel;
import dev.spur.simulator.trace.TraceJob;
import org.junit.jupiter.api.Test;

/** What a maximum run time does to simulated jobs. */
class TimeLimitReplayTest {
    private static TraceJob limited(String id, double arrival, double seconds, TimeLimit limit) {
        return new TraceJob(
                id,
                arrival,
                "root",
                null,
                1,
                seconds,
                TestGroundTruth.of(seconds),
                PolicyViewModel.complete(
                        request(id, 1, seconds).timeLimit(limit).spec()));
    }

    @Test
    void aJobEndsByItAndItsSlotsServeOthers() {
        Replay replay = Replayer.replay(
                trace(limited("a", 0, 1000, TimeLimit.ofJob(100)), job("b", 0, 50)),
                cluster(1, 1),
                new FifoTestPolicy(false),
                ReplaySettings.DEFAULT,
                ProgressListener.NONE);

        assertThat(replay.jobs().get(0).end()).isEqualTo(100);
        assertThat(replay.jobs().get(0).slotSeconds()).isEqualTo(100);
        assertThat(replay.jobs().get(1).firstStart()).as("the next round").isEqualTo(120);
    }

    @Test
    void aJobThatEndsBeforeItIsUnaffected() {
        Replay replay = Replayer.replay(
                trace(limited("a", 0, 50, TimeLimit.ofStart(100))),
                cluster(1, 1),
                new FifoTestPolicy(false),
                ReplaySettings.DEFAULT,
                ProgressListener.NONE);

        assertThat(replay.jobs().get(0).end()).isEqualTo(50);
    }

    @Test
    void aForecastContinuesItFromTheStateOfAJob() {
        TimeLimit limit = TimeLimit.ofStart(600);
        Job running = request("a", 1, 1e6)
                .timeLimit(limit)
                .holding(allocation(900, piece("n1", 0, 1)))
                .build();

        assertThat(ActiveJob.resume(limited("a", 0, 1e6, limit), running, 1000).end())
                .isEqualTo(1500);
        TimeLimit requeues = new TimeLimit(600, TimeLimit.Span.START, TimeLimit.Action.REQUEUE);
        Job requeued =
                running.withSpec(running.spec().edit().timeLimit(requeues).build());
        assertThat(ActiveJob.resume(limited("a", 0, 1e6, requeues), requeued, 1000)
                        .end())
                .isGreaterThan(1e5);
    }
}
