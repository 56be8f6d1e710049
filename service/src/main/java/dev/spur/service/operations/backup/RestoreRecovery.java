package dev.spur.service.operations.backup;

import dev.spur.model.Seconds;
import dev.spur.service.database.DatabaseClockStore;
import dev.spur.service.database.LeaseGrants;
import dev.spur.service.database.RestorationStore;
import dev.spur.service.database.RestorationStore.RestoredDatabase;
import dev.spur.service.executors.ExecutorProperties;
import dev.spur.service.startup.StartupMessage;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** First step of a starting replica: recovers a restored database unless another replica has already done so. */
@Component
class RestoreRecovery implements SmartInitializingSingleton, StartupMessage {
    private static final Logger LOG = LoggerFactory.getLogger(RestoreRecovery.class);

    private final RestorationStore store;
    private final DatabaseClockStore clock;
    private final LeaseGrants grants;
    private final ExecutorProperties executors;
    private volatile List<String> news = List.of();

    RestoreRecovery(
            RestorationStore store, DatabaseClockStore clock, LeaseGrants grants, ExecutorProperties executors) {
        this.store = store;
        this.clock = clock;
        this.grants = grants;
        this.executors = executors;
    }

    /** Runs before all components that plan, expire rows or serve requests. */
    @Override
    @Transactional
    public void afterSingletonsInstantiated() {
        store.lock().ifPresent(this::takeUp);
    }

    private void takeUp(RestoredDatabase restored) {
        double gracePeriod = Math.max(Seconds.of(executors.leaseWithGrace()), store.longestLease());
        Instant until = store.takeUp(restored, gracePeriod);
        store.raiseCounters(restored);
        store.keepPlannersOut();
        store.callExecutors();
        clock.read();
        grants.toExecutors(gracePeriod);
        store.stopUnreachable(restored);
        store.recordOnJobs(restored);
        String line =
                "The database was restored as of %s. Until %s the scheduler plans and starts nothing: executors report their running jobs."
                        .formatted(toSeconds(restored.exportedAt()), toSeconds(until));
        LOG.info(line);
        news = List.of(line);
    }

    private static Instant toSeconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS);
    }

    @Override
    public List<String> lines() {
        return news;
    }
}
