package dev.spur.service.simulation;

import dev.spur.model.Seconds;
import dev.spur.model.json.RoundJson;
import dev.spur.service.retention.DaemonThreads;
import dev.spur.service.round.RoundGate;
import dev.spur.service.simulation.SelfAuditQueue.SelfAuditRequest;
import dev.spur.simulator.replay.Replay;
import dev.spur.simulator.report.HtmlReport;
import dev.spur.simulator.report.ResultFiles;
import dev.spur.simulator.report.Summary;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.stereotype.Component;

/**
 * Runs simulations one at a time, on its own thread, which waits while a round runs. If a worker dies, the next worker
 * that polls restarts its simulation. A worker that stops orderly releases its simulation.
 */
@Component
class SimulationWorker {
    private static final Logger LOG = LoggerFactory.getLogger(SimulationWorker.class);

    private final SimulationStore store;
    private final SimulationProperties properties;
    private final SelfAuditProperties auditProperties;
    private final SelfAuditRun audits;
    private final RoundGate gate;
    private final MeterRegistry registry;
    private final TaskScheduler scheduler;
    private final String name = UUID.randomUUID().toString();
    private @Nullable Thread thread;
    private volatile boolean running;

    SimulationWorker(
            SimulationStore store,
            SimulationProperties properties,
            SelfAuditProperties auditProperties,
            SelfAuditRun audits,
            RoundGate gate,
            MeterRegistry registry,
            TaskScheduler scheduler) {
        this.store = store;
        this.properties = properties;
        this.auditProperties = auditProperties;
        this.audits = audits;
        this.gate = gate;
        this.registry = registry;
        this.scheduler = scheduler;
    }

    @EventListener(ContextRefreshedEvent.class)
    void start() {
        running = true;
        if (properties.enabled()) {
            thread = DaemonThreads.thread("spur-simulations", this::loop);
            thread.start();
        }
    }

    @EventListener(ContextClosedEvent.class)
    void stop() {
        running = false;
        Thread stopping = thread;
        if (stopping != null) {
            stopping.interrupt();
            try {
                stopping.join(TimeUnit.SECONDS.toMillis(5));
            } catch (InterruptedException interrupt) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void loop() {
        while (running) {
            try {
                Optional<SimulationStore.Row> next =
                        store.claim(name, Seconds.of(properties.heartbeatTimeout()), properties.attempts());
                next.ifPresent(this::run);
                store.prune(properties.keep());
                if (next.isEmpty()) {
                    TimeUnit.MILLISECONDS.sleep(properties.pollInterval().toMillis());
                }
            } catch (InterruptedException stop) {
                return;
            } catch (RuntimeException away) {
                LOG.warn("cannot read queued simulations, next attempt follows: {}", away.getMessage());
                if (!sleep()) {
                    return;
                }
            }
        }
    }

    private boolean sleep() {
        try {
            TimeUnit.SECONDS.sleep(1);
            return true;
        } catch (InterruptedException stop) {
            return false;
        }
    }

    private void run(SimulationStore.Row row) {
        try (SimulationHeartbeat heartbeat =
                new SimulationHeartbeat(store, row.id(), name, properties, limit(row), gate, scheduler)) {
            end(row, heartbeat);
        }
    }

    private Duration limit(SimulationStore.Row row) {
        return row.kind() == SimulationKind.SELF_AUDIT ? auditProperties.maxWallTime() : properties.maxWallTime();
    }

    private void end(SimulationStore.Row row, SimulationHeartbeat heartbeat) {
        try {
            if (row.kind() == SimulationKind.SELF_AUDIT) {
                audit(row, heartbeat);
            } else {
                SimulationRequest request = RoundJson.mapper().readValue(row.request(), SimulationRequest.class);
                SimulationRun run =
                        new SimulationRun(request, store.problem(row.id()).orElse(null));
                complete(row, run.replays(heartbeat::continueAt));
            }
        } catch (SimulationHeartbeat.SimulationCanceledException ended) {
            withoutInterrupt(() -> handleCancel(row, ended.cancelReason()));
        } catch (RuntimeException | IOException | StackOverflowError | OutOfMemoryError failure) {
            if (running) {
                LOG.warn("simulation {} failed", row.id(), failure);
                fail(row, String.valueOf(failure.getMessage()));
            } else { // the interrupt on shutdown also ends a wait for the database
                withoutInterrupt(() -> handleCancel(row, SimulationHeartbeat.CancelReason.STOPPED));
            }
        }
    }

    private void audit(SimulationStore.Row row, SimulationHeartbeat heartbeat) {
        SelfAuditRequest request = RoundJson.mapper().readValue(row.request(), SelfAuditRequest.class);
        SelfAuditRun.Results results = audits.run(request, heartbeat::continueAt);
        store.complete(row.id(), name, RoundJson.mapper().writeValueAsString(results), SelfAuditRun.csv(results), null);
        count("DONE");
    }

    private void handleCancel(SimulationStore.Row row, SimulationHeartbeat.CancelReason why) {
        if (why == SimulationHeartbeat.CancelReason.STOPPED) {
            store.giveBack(row.id(), name);
        } else if (why == SimulationHeartbeat.CancelReason.LATE) {
            fail(
                    row,
                    "The simulation exceeded its time limit of %d s (spur.%s.max-wall-time)."
                            .formatted(
                                    limit(row).toSeconds(),
                                    row.kind() == SimulationKind.SELF_AUDIT ? "self-audits" : "simulations"));
        }
    }

    /**
     * Runs the task with the interrupt flag cleared and restores it afterwards, because a pending interrupt must not
     * reach the database.
     */
    private static void withoutInterrupt(Runnable last) {
        boolean interrupted = Thread.interrupted();
        last.run();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void complete(SimulationStore.Row row, List<Replay> replays) throws IOException {
        String results = RoundJson.mapper()
                .writeValueAsString(replays.stream().map(Summary::of).toList());
        store.complete(row.id(), name, results, ResultFiles.policiesCsv(replays), HtmlReport.page(replays));
        count("DONE");
    }

    private void fail(SimulationStore.Row row, String why) {
        store.fail(row.id(), name, why);
        count("FAILED");
    }

    private void count(String state) {
        registry.counter("spur.simulations", "state", state.toLowerCase(Locale.ROOT))
                .increment();
    }
}
