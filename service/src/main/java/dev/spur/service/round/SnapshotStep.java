package dev.spur.service.round;

import dev.spur.service.lease.Lease;
import dev.spur.service.performance.PredictionRefresher;
import dev.spur.service.performance.Profiler;
import dev.spur.service.planningdomain.StatePartitioner;
import dev.spur.service.settings.PlanningDomain;
import dev.spur.service.snapshot.SnapshotReader;
import dev.spur.service.snapshot.StateSnapshot;
import dev.spur.service.usage.PastUsageStore;
import org.springframework.stereotype.Component;

/** Refreshes predictions, profiling runs and past usage, and reads the state that a round plans from. */
@Component
class SnapshotStep {
    private final PredictionRefresher refresher;
    private final Profiler profiler;
    private final PastUsageStore usage;
    private final SnapshotReader snapshots;
    private final StatePartitioner division;

    SnapshotStep(
            PredictionRefresher refresher,
            Profiler profiler,
            PastUsageStore usage,
            SnapshotReader snapshots,
            StatePartitioner division) {
        this.refresher = refresher;
        this.profiler = profiler;
        this.usage = usage;
        this.snapshots = snapshots;
        this.division = division;
    }

    /** The state of the cluster, or of the planning domain of {@code lease}. */
    StateSnapshot run(Lease lease, RoundSteps steps) throws InterruptedException {
        String domain = lease.domain();
        if (domain == null || domain.equals(PlanningDomain.DEFAULT)) {
            steps.run("predict", refresher::refresh);
            steps.run("profile", profiler::beforeRound);
        }
        return steps.run("snapshot", () -> {
            StateSnapshot whole = snapshots.read();
            Double halfLife = whole.settings().planning().fairShare().halfLifeSeconds();
            if (halfLife != null) {
                usage.advance(halfLife);
            }
            return domain == null ? whole : division.partForRound(whole, domain);
        });
    }
}
