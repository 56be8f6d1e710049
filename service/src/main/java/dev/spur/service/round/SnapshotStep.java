package dev.spur.service.round;

import dev.spur.service.performance.PredictionRefresher;
import dev.spur.service.performance.Profiler;
import dev.spur.service.planningdomain.StatePartitioner;
import dev.spur.service.round.LeaseKeeper.Lease;
import dev.spur.service.settings.PlanningDomain;
import dev.spur.service.settings.SettingsStore;
import dev.spur.service.snapshot.SnapshotReader;
import dev.spur.service.snapshot.StateSnapshot;
import dev.spur.service.usage.PastUsageStore;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Refreshes predictions, profiling runs and past usage, and reads the state that a round plans from. */
@Component
class SnapshotStep {
    private final PredictionRefresher refresher;
    private final Profiler profiler;
    private final SettingsStore settings;
    private final PastUsageStore usage;
    private final SnapshotReader snapshots;
    private final StatePartitioner division;
    /** Transaction that updates the past usage; the snapshot after it has another isolation. */
    private final TransactionTemplate transaction;

    SnapshotStep(
            PredictionRefresher refresher,
            Profiler profiler,
            SettingsStore settings,
            PastUsageStore usage,
            SnapshotReader snapshots,
            StatePartitioner division,
            PlatformTransactionManager transactions) {
        this.refresher = refresher;
        this.profiler = profiler;
        this.settings = settings;
        this.usage = usage;
        this.transaction = new TransactionTemplate(transactions);
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
            updatePastUsage();
            StateSnapshot whole = snapshots.read();
            return domain == null ? whole : division.assigned(whole, domain);
        });
    }

    /** Updates the past usage of tenants to the current time, if fair share uses it. */
    private void updatePastUsage() {
        Double halfLife = settings.current().value().planning().fairShare().halfLifeSeconds();
        if (halfLife != null) {
            transaction.executeWithoutResult(status -> usage.advance(halfLife));
        }
    }
}
