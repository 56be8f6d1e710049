package dev.spur.service.simulation;

import dev.spur.service.round.RoundGate;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.TaskScheduler;

/** Renews the claim on a running simulation and reports when the run must end. */
final class SimulationHeartbeat implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SimulationHeartbeat.class);

    private final SimulationStore store;
    private final String id;
    private final String worker;
    private final RoundGate gate;
    private final long endNanos;
    private final ScheduledFuture<?> beats;
    private volatile double progress;
    private volatile boolean lost;

    /** Reason why a run ends early. */
    enum CancelReason {
        /** The simulation was canceled, or another worker has claimed it. */
        LOST,
        /** The service stops. */
        STOPPED,
        /** The run exceeds its time limit. */
        LATE
    }

    /** Ends a run early. */
    static final class SimulationCanceledException extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final CancelReason why;

        SimulationCanceledException(CancelReason why) {
            super(why.name(), null, false, false);
            this.why = why;
        }

        CancelReason cancelReason() {
            return why;
        }
    }

    SimulationHeartbeat(
            SimulationStore store,
            String id,
            String worker,
            SimulationProperties properties,
            Duration maxWallTime,
            RoundGate gate,
            TaskScheduler scheduler) {
        this.store = store;
        this.id = id;
        this.worker = worker;
        this.gate = gate;
        this.endNanos = System.nanoTime() + maxWallTime.toNanos();
        this.beats = scheduler.scheduleWithFixedDelay(
                this::beat, Instant.now().plus(properties.heartbeatInterval()), properties.heartbeatInterval());
    }

    /**
     * Blocks while a round runs, then returns if the simulation may continue.
     *
     * @param share completed fraction of the simulation
     * @throws SimulationCanceledException if the simulation must end
     */
    void continueAt(double share) {
        progress = share;
        if (!gate.pass()) {
            throw new SimulationCanceledException(CancelReason.STOPPED);
        }
        if (lost) {
            throw new SimulationCanceledException(CancelReason.LOST);
        }
        if (System.nanoTime() - endNanos > 0) {
            throw new SimulationCanceledException(CancelReason.LATE);
        }
    }

    private void beat() {
        try {
            lost |= !store.isAlive(id, worker, progress);
        } catch (RuntimeException away) {
            LOG.warn("cannot store the progress of simulation {}: {}", id, away.getMessage());
        }
    }

    @Override
    public void close() {
        beats.cancel(true);
    }
}
