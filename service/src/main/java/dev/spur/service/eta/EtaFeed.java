package dev.spur.service.eta;

import dev.spur.model.json.RoundJson;
import dev.spur.service.eta.EtaDocument.Times;
import dev.spur.service.retention.DaemonThreads;
import dev.spur.service.store.EtaStore;
import dev.spur.service.store.NotificationChannel;
import dev.spur.service.store.NotificationListener;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Hands out the newest estimates, of whichever replica made them. */
@Component
@SuppressWarnings("FutureReturnValueIgnored") // a refresh logs what it throws
public class EtaFeed implements SmartLifecycle, NotificationListener {
    private static final Logger LOG = LoggerFactory.getLogger(EtaFeed.class);
    private static final long REFRESH_SECONDS = 5;

    private final EtaStore store;
    private final ScheduledThreadPoolExecutor clock;
    private volatile PublishedEtas edition = PublishedEtas.NONE;
    private volatile boolean running;

    EtaFeed(EtaStore store) {
        this.store = store;
        this.clock = new ScheduledThreadPoolExecutor(1, DaemonThreads.named("spur-eta-feed"));
    }

    /**
     * All estimates of one time.
     *
     * @param madeAt when they were stored; the beginning of 1970 if there are none
     * @param document what they say
     */
    public record PublishedEtas(Instant madeAt, @Nullable EtaDocument document) {
        static final PublishedEtas NONE = new PublishedEtas(Instant.EPOCH, null);

        /** This with the estimates of another planning domain. */
        PublishedEtas with(PublishedEtas other) {
            if (document == null || other.document == null) {
                return document == null ? other : this;
            }
            return new PublishedEtas(
                    madeAt.isAfter(other.madeAt) ? madeAt : other.madeAt, document.with(other.document));
        }

        /** What is expected of a job that has not ended; empty if it came too late to be looked at. */
        public Optional<JobEta> of(String jobId, boolean waits, boolean held) {
            return document == null
                    ? Optional.empty()
                    : of(document, document.jobs().get(jobId), waits, held ? Eta.HELD : null);
        }

        /** The same of a preparation. */
        public Optional<JobEta> ofPreparation(String id, boolean waits, boolean held) {
            return document == null
                    ? Optional.empty()
                    : of(document, document.preparations().get(id), waits, held ? Eta.HELD_PREPARATION : null);
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

        /** Differs from that of every other edition. */
        public long version() {
            return madeAt.toEpochMilli();
        }
    }

    /**
     * Estimates in short.
     *
     * @param revision of the plan that they begin with
     * @param stateAt when the state of that plan was read
     * @param madeAt when they were made
     * @param ageSeconds how long ago that was
     * @param until up to when was replayed
     * @param samples how often
     * @param coverage the share of outcomes that bands should hold
     * @param jobs for how many jobs there are estimates
     * @param rounds decisions that were made for it
     * @param policy who made them
     * @param medianSlowdown how much longer jobs are thought to run than stated, in the middle
     * @param spread standard deviation of the logarithm of that
     * @param arrivalsPerHour how many jobs are thought to come
     * @param cuts what was left out for lack of time
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

    /** The newest estimates, as far as this replica has heard. */
    public PublishedEtas current() {
        return edition;
    }

    /** The newest estimates in short; empty before the first. */
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

    /**
     * Seconds since the newest estimates were made, by the clock of this machine, at least 0; not a number before the
     * first.
     */
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
    public void start() {
        running = true;
        clock.scheduleWithFixedDelay(this::refresh, 0, REFRESH_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void stop() {
        running = false;
        clock.shutdownNow();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public String channel() {
        return NotificationChannel.ESTIMATES;
    }

    @Override
    public void heard(String payload) {
        refreshSoon();
    }

    @Override
    public void reconnected() {
        refreshSoon();
    }

    private void refreshSoon() {
        if (running) {
            clock.execute(this::refresh);
        }
    }

    private void refresh() {
        try {
            Instant newest = store.newest().orElse(Instant.EPOCH);
            if (!newest.equals(edition.madeAt())) {
                edition = store.all().stream()
                        .map(stored -> new PublishedEtas(
                                stored.madeAt(), RoundJson.mapper().readValue(stored.body(), EtaDocument.class)))
                        .reduce(PublishedEtas.NONE, PublishedEtas::with);
            }
        } catch (RuntimeException away) {
            LOG.warn("new estimates could not be read, older ones are handed out: {}", away.getMessage());
        }
    }
}
