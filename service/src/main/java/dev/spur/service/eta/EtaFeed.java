package dev.spur.service.eta;

import dev.spur.model.json.RoundJson;
import dev.spur.service.database.NotificationChannel;
import dev.spur.service.database.NotificationListener;
import dev.spur.service.eta.EtaDocument.Times;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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
     * @param document the ETAs
     */
    public record PublishedEtas(Instant madeAt, @Nullable EtaDocument document) {
        static final PublishedEtas NONE = new PublishedEtas(Instant.EPOCH, null);

        /** These ETAs merged with those of another planning domain. */
        PublishedEtas with(PublishedEtas other) {
            if (document == null || other.document == null) {
                return document == null ? other : this;
            }
            return new PublishedEtas(
                    madeAt.isAfter(other.madeAt) ? madeAt : other.madeAt, document.with(other.document));
        }

        /** ETA of an active job; empty if it was submitted after the last prediction. */
        public Optional<JobEta> of(String jobId, boolean waits, boolean held) {
            return document == null
                    ? Optional.empty()
                    : of(document, document.jobs().get(jobId), waits, held ? Eta.HELD : null);
        }

        private Optional<JobEta> of(EtaDocument all, @Nullable Times times, boolean waits, @Nullable Eta held) {
            if (times == null && held == null) {
                return Optional.empty();
            }
            Eta start = waits && times != null ? times.start() : null;
            Eta later = times == null ? Eta.HELD : times.completion();
            return Optional.of(new JobEta(
                    all.revision(),
                    madeAt,
                    all.coverage(),
                    held != null && waits ? held : start,
                    held != null ? held : later));
        }

        /** Version that differs from that of every other edition. */
        public long version() {
            return madeAt.toEpochMilli();
        }
    }

    /**
     * Overview of the ETAs.
     *
     * @param revision revision of the plan that the prediction begins with
     * @param stateAt time of that plan's snapshot
     * @param madeAt time of the prediction
     * @param until end of the simulated horizon
     * @param samples number of simulations
     * @param coverage nominal coverage of the prediction intervals
     * @param jobs number of jobs with an ETA
     * @param rounds number of simulated decisions
     * @param policy simulated policy
     * @param medianSlowdown median ratio of actual to stated runtime
     * @param spread standard deviation of the logarithm of that ratio
     * @param arrivalsPerHour expected arrivals of jobs
     * @param cuts what was omitted for lack of time, one sentence each
     */
    record Overview(
            long revision,
            Instant stateAt,
            Instant madeAt,
            double ageSeconds,
            Instant until,
            int samples,
            double coverage,
            int jobs,
            int rounds,
            String policy,
            double medianSlowdown,
            double spread,
            double arrivalsPerHour,
            List<String> cuts) {}

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
                        all.revision(),
                        all.stateAt(),
                        now.madeAt(),
                        ageSeconds(),
                        all.until(),
                        all.samples(),
                        all.coverage(),
                        all.jobs().size(),
                        all.rounds(),
                        all.policy(),
                        all.medianSlowdown(),
                        all.spread(),
                        all.arrivalsPerHour(),
                        all.cuts()));
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
    public void notified(String payload) {
        refreshSoon();
    }

    @Override
    public void reconnected() {
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
                edition = store.all().stream()
                        .map(stored -> new PublishedEtas(
                                stored.madeAt(), RoundJson.mapper().readValue(stored.body(), EtaDocument.class)))
                        .reduce(PublishedEtas.NONE, PublishedEtas::with);
            }
        } catch (RuntimeException away) {
            LOG.warn("new ETAs could not be read; serving older ones: {}", away.getMessage());
        }
    }
}
