package dev.spur.service.questions;

import dev.spur.model.Seconds;
import dev.spur.model.json.RoundJson;
import dev.spur.model.round.RoundPlan;
import dev.spur.service.database.DaemonThreads;
import dev.spur.service.plans.DroppedEntry;
import dev.spur.service.plans.RoundOutcome;
import dev.spur.service.plans.RoundStatus;
import dev.spur.service.plans.StateSnapshot;
import dev.spur.service.rounds.RoundGate;
import dev.spur.service.rounds.RoundObserver;
import dev.spur.service.rounds.RoundObserver.RoundReport;
import dev.spur.simulator.eta.BlockedJob;
import dev.spur.simulator.eta.Forecast;
import dev.spur.simulator.eta.ForecastAccuracy;
import dev.spur.simulator.eta.ForecastSettings;
import dev.spur.simulator.eta.Forecaster;
import dev.spur.simulator.replay.RoundSpacing;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Computes ETAs on its own thread from the newest round that published a plan; rounds in between are skipped. It pauses
 * while a round runs. Failures are counted and logged, and affect nothing else.
 */
@Component
class Estimator implements RoundObserver {
    private static final Logger LOG = LoggerFactory.getLogger(Estimator.class);

    private final Policy policy;
    private final EtaProperties properties;
    private final PastJobs past;
    private final ForecastBacktest records;
    private final EtaStore store;
    private final RoundGate gate;
    private final EtaMetrics metrics;
    /** The newest unprocessed round. */
    private final BlockingQueue<PlannedRound> newest = new ArrayBlockingQueue<>(1);

    private @Nullable Thread thread;
    private volatile boolean running;

    /** A round that published a plan. */
    private record PlannedRound(long revision, StateSnapshot snapshot, RoundPlan plan) {}

    Estimator(
            Policy policy,
            EtaProperties properties,
            PastJobs past,
            ForecastBacktest records,
            EtaStore store,
            RoundGate gate,
            EtaMetrics metrics) {
        this.policy = policy;
        this.properties = properties;
        this.past = past;
        this.records = records;
        this.store = store;
        this.gate = gate;
        this.metrics = metrics;
    }

    @SuppressWarnings("ThreadPriorityCheck") // the results do not depend on the order of the threads
    @EventListener(ContextRefreshedEvent.class)
    void start() {
        running = true;
        if (properties.enabled()) {
            thread = DaemonThreads.thread("spur-etas", this::loop);
            thread.setPriority(Thread.MIN_PRIORITY);
            thread.start();
        }
    }

    @EventListener(ContextClosedEvent.class)
    void stop() {
        running = false;
        if (thread != null) {
            thread.interrupt();
        }
    }

    @Override
    public void onEnd(RoundReport report) {
        RoundOutcome outcome = report.outcome();
        boolean planned = outcome.status() == RoundStatus.PUBLISHED || outcome.status() == RoundStatus.UNCHANGED;
        if (planned && outcome.planRevision() != null && outcome.plan() != null && report.snapshot() != null) {
            newest.clear();
            newest.add(new PlannedRound(
                    outcome.planRevision(), report.snapshot(), withoutDropped(outcome.plan(), outcome)));
        }
    }

    /** The plan without dropped decisions, which were not carried out. */
    private static RoundPlan withoutDropped(RoundPlan plan, RoundOutcome outcome) {
        Set<String> dropped =
                outcome.dropped().stream().map(DroppedEntry::jobId).collect(Collectors.toSet());
        return dropped.isEmpty()
                ? plan
                : new RoundPlan(
                        plan.running().stream()
                                .filter(job -> !dropped.contains(job.jobId()))
                                .toList(),
                        plan.waiting(),
                        plan.deadlineStatuses(),
                        plan.quality(),
                        plan.stats(),
                        plan.memory(),
                        plan.preparations());
    }

    private void loop() {
        while (running) {
            try {
                PlannedRound seen = newest.take();
                estimate(seen);
                TimeUnit.MILLISECONDS.sleep(properties.pause().toMillis());
            } catch (InterruptedException stop) {
                return;
            }
        }
    }

    private void estimate(PlannedRound seen) {
        ActiveTime waits = new ActiveTime(gate);
        long start = System.nanoTime();
        try {
            ForecastAccuracy record = records.before(seen.snapshot);
            Forecast forecast = new Forecaster(
                            policy, properties.forecast(seen.snapshot.settings().earlyRoundSeconds()), waits::nanos)
                    .forecast(
                            seen.snapshot.calendar().addLaterTo(seen.snapshot.problem(), properties.horizon()),
                            Decision.of(seen.plan),
                            past.read(Seconds.of(properties.history()), record.biasCorrection()),
                            blockedJobs(seen.snapshot),
                            waits::pass);
            if (forecast != null) {
                store.replace(
                        seen.revision,
                        RoundJson.mapper()
                                .writeValueAsString(
                                        EtaDocumentMapper.document(seen.revision, seen.plan, seen.snapshot, forecast)));
                records.keep(record, seen.revision, forecast);
                metrics.recordForecast(forecast, System.nanoTime() - start);
            }
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError failure) {
            if (!running) { // the interrupt of a shutdown also ends a wait for the database
                LOG.debug("no ETAs for plan {}: the service stops", seen.revision, failure);
                return;
            }
            metrics.recordFailure();
            LOG.warn("computing ETAs for plan {} failed; older ones remain", seen.revision, failure);
        }
    }

    /** Jobs that wait for nothing but a time or others, by submission. */
    private static List<BlockedJob> blockedJobs(StateSnapshot snapshot) {
        return snapshot.held().stream()
                .flatMap(job -> Stream.ofNullable(snapshot.blockedJobs().get(job.id())))
                .toList();
    }

    /** Elapsed time without the time of waiting for rounds. */
    private static final class ActiveTime {
        private final RoundGate gate;
        private long waited;

        ActiveTime(RoundGate gate) {
            this.gate = gate;
        }

        boolean pass() {
            long before = System.nanoTime();
            boolean open = gate.pass();
            waited += System.nanoTime() - before;
            return open;
        }

        long nanos() {
            return System.nanoTime() - waited;
        }
    }

    /**
     * Settings of ETAs.
     *
     * @param enabled false to compute none on this replica
     * @param samples number of simulations; from three on, prediction intervals have a coverage of 80 %
     * @param horizon horizon of each simulation
     * @param maxWallTime wall-clock limit for all simulations, without the time of waiting for a round
     * @param pause pause between two predictions
     * @param greedyFrom number of jobs from which the greedy policy replaces that of the rounds
     * @param history period of past arrivals that is used
     * @param seed seed of all random choices
     */
    @ConfigurationProperties("spur.etas")
    record EtaProperties(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("19") int samples,
            @DefaultValue("24h") Duration horizon,
            @DefaultValue("10s") Duration maxWallTime,
            @DefaultValue("10s") Duration pause,
            @DefaultValue("500") int greedyFrom,
            @DefaultValue("4h") Duration history,
            @DefaultValue("1") long seed) {
        private static final double PAUSE_SHARE = 0.05;

        /** Converts these settings. The delay of early rounds is the minimum interval between simulated rounds. */
        ForecastSettings forecast(double earlyRoundSeconds) {
            return new ForecastSettings(
                    samples,
                    Seconds.of(horizon),
                    Seconds.of(maxWallTime),
                    new RoundSpacing(earlyRoundSeconds, PAUSE_SHARE, 0),
                    greedyFrom,
                    seed);
        }
    }
}
