package dev.spur.service.rounds;

import dev.spur.service.cluster.PastUsageStore;
import dev.spur.service.jobs.learning.PredictionRefresher;
import dev.spur.service.jobs.learning.Profiler;
import dev.spur.service.plans.SnapshotReader;
import dev.spur.service.plans.StateSnapshot;
import org.springframework.stereotype.Component;

/** Refreshes predictions, profiling runs and past usage, and reads the state that a round plans from. */
@Component
class SnapshotStep {
    private final PredictionRefresher refresher;
    private final Profiler profiler;
    private final PastUsageStore usage;
    private final SnapshotReader snapshots;

    SnapshotStep(PredictionRefresher refresher, Profiler profiler, PastUsageStore usage, SnapshotReader snapshots) {
        this.refresher = refresher;
        this.profiler = profiler;
        this.usage = usage;
        this.snapshots = snapshots;
    }

    /** The state of the cluster. */
    StateSnapshot run(RoundSteps steps) throws InterruptedException {
        steps.run("predict", refresher::refresh);
        steps.run("profile", profiler::beforeRound);
        return steps.run("snapshot", () -> {
            StateSnapshot whole = snapshots.read();
            Double halfLife = whole.settings().planning().fairShare().halfLifeSeconds();
            if (halfLife != null) {
                usage.advance(halfLife);
            }
            return whole;
        });
    }
}
