package dev.spur.service.questions;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.spur.model.json.RoundJson;
import dev.spur.service.database.NotificationChannel;
import dev.spur.service.database.NotificationListener;
import dev.spur.service.questions.EtaDocument.Times;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.task.TaskRejectedException;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Provides the newest ETAs, whichever replica computed them. */
@Component
@SuppressWarnings("FutureReturnValueIgnored") // refreshes log their own exceptions
public class EtaFeed implements NotificationListener {
    private static final Logger LOG = LoggerFactory.getLogger(EtaFeed.class);
    private static final long REFRESH_SECONDS = 5;

    private final EtaStore store;
    private final TaskScheduler scheduler;
    private volatile PublishedEtas edition = PublishedEtas.NONE;

    EtaFeed(EtaStore store, TaskScheduler scheduler) {
        this.store = store;
        this.scheduler = scheduler;
    }

    /**
     * All ETAs of one time.
     *
     * @param madeAt time at which they were stored; the beginning of 1970 if there are none
     */
    public record PublishedEtas(Instant madeAt, @Nullable EtaDocument document) {
        static final PublishedEtas NONE = new PublishedEtas(Instant.EPOCH, null);

        /**
         * ETA of an active job; empty if it was submitted after the last prediction.
         *
         * @param since start of its allocation, or of its last wait
         */
        public Optional<JobEta> of(String jobId, boolean waits, boolean held, Instant since) {
            if (document == null) {
                return Optional.empty();
            }
            Times times = document.jobs().get(jobId);
            // the start of an allocation by the plan of the prediction is the time of its state
            boolean isOutdated =
                    since.toEpochMilli() > document.facts().stateAt().toEpochMilli();
            return of(document, times != null && isOutdated ? Times.OUTDATED : times, waits, held ? Eta.HELD : null);
        }

        private Optional<JobEta> of(EtaDocument all, @Nullable Times times, boolean waits, @Nullable Eta held) {
            if (times == null && held == null) {
                return Optional.empty();
            }
            Eta start = waits && times != null ? times.start() : null;
            Eta later = times == null ? Eta.HELD : times.completion();
            return Optional.of(new JobEta(
                    all.facts().revision(),
                    madeAt,
                    all.facts().coverage(),
                    held != null && waits ? held : start,
                    held != null ? held : later));
        }

        /** Version that differs from that of every other edition. */
        public long version() {
            return madeAt.toEpochMilli();
        }
    }

    /** Overview of the ETAs. Members as in the contract. */
    record Overview(@JsonUnwrapped EtaDocument.ForecastFacts facts, Instant madeAt, double ageSeconds, int jobs) {}

    /** The newest ETAs as known by this replica. */
    public PublishedEtas current() {
        return edition;
    }

    /** Overview of the newest ETAs; empty before the first. */
    Optional<Overview> overview() {
        PublishedEtas now = edition;
        EtaDocument all = now.document();
        return all == null
                ? Optional.empty()
                : Optional.of(new Overview(
                        all.facts(), now.madeAt(), ageSeconds(), all.jobs().size()));
    }

    /** Age of the newest ETAs in seconds, by the clock of this machine, at least 0; NaN before the first. */
    double ageSeconds() {
        PublishedEtas now = edition;
        return now.document() == null
                ? Double.NaN
                : Math.max(
                        0,
                        Duration.between(now.madeAt(), Clock.systemUTC().instant())
                                        .toMillis()
                                / 1e3);
    }

    @Override
    public String channel() {
        return NotificationChannel.ESTIMATES;
    }

    @Override
    public void onNotification(String payload) {
        refreshSoon();
    }

    private void refreshSoon() {
        try {
            scheduler.schedule(this::refresh, Instant.now());
        } catch (TaskRejectedException stopped) {
            LOG.debug("the service stops", stopped);
        }
    }

    @Scheduled(fixedDelay = REFRESH_SECONDS, timeUnit = TimeUnit.SECONDS)
    synchronized void refresh() {
        try {
            Instant newest = store.newest().orElse(Instant.EPOCH);
            if (!newest.equals(edition.madeAt())) {
                edition = store.find()
                        .map(stored -> new PublishedEtas(
                                stored.madeAt(), RoundJson.mapper().readValue(stored.body(), EtaDocument.class)))
                        .orElse(PublishedEtas.NONE);
            }
        } catch (RuntimeException away) {
            LOG.warn("new ETAs could not be read; serving older ones: {}", away.getMessage());
        }
    }
}
