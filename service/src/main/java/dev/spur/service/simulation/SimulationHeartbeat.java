package dev.spur.service.simulation;

import dev.spur.service.retention.DaemonThreads;
import dev.spur.service.round.RoundGate;
import dev.spur.service.store.SimulationStore;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a simulation that runs claimed, and tells it when to end. */
final class SimulationHeartbeat implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SimulationHeartbeat.class);

    private final SimulationStore store;
    private final String id;
    private final String worker;
    private final RoundGate gate;
    private final long endNanos;
    private final ScheduledThreadPoolExecutor clock;
    private volatile double progress;
    private volatile boolean lost;

    /** Why a run ends before its time. */
    enum CancelReason {
        /** It was called off, or another worker has it. */
        LOST,
        /** The service stops. */
        STOPPED,
        /** It takes too long. */
        LATE
    }

    /** Ends a run before its time. */
    static final class SimulationCanceledException extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final CancelReason why;

        SimulationCanceledException(CancelReason why) {
            super(why.name(), null, false, false);
            this.why = why;
        }

        CancelReason why() {
            return why;
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a beat logs what it throws
    SimulationHeartbeat(
            SimulationStore store, String id, String worker, SimulationProperties properties, RoundGate gate) {
        this.store = store;
        this.id = id;
        this.worker = worker;
        this.gate = gate;
        this.endNanos = System.nanoTime() + (long) (properties.maxSeconds() * 1e9);
        this.clock = new ScheduledThreadPoolExecutor(1, DaemonThreads.named("spur-simulation-vigil"));
        long pause = (long) (properties.heartbeatSeconds() * 1000);
        clock.scheduleWithFixedDelay(this::beat, pause, pause, TimeUnit.MILLISECONDS);
    }

    /**
     * Waits while a round runs.
     *
     * @param share how much of the simulation is done
     * @throws Ended if the simulation should end
     */
    void goesOn(double share) {
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
            LOG.warn("the progress of simulation {} could not be written: {}", id, away.getMessage());
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
