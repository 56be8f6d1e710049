package dev.spur.service.rounds;

import dev.spur.model.Seconds;
import dev.spur.service.database.DaemonThreads;
import dev.spur.service.plans.Lease;
import dev.spur.service.plans.LeaseStore;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/**
 * Leader election by a lease: acquires and renews the planner's leader lease. Its state is only an estimate by the
 * monotonic clock of this process. The fencing token guarantees at publication that only one replica plans. Only
 * {@link RoundLoop} and the observers of its rounds run on the leader alone; a connector has a lease of its own.
 */
@Component
class LeaseKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);

    private final LeaseStore store;
    private final RoundProperties properties;
    private final String holder = ManagementFactory.getRuntimeMXBean().getName() + "/"
            + UUID.randomUUID().toString().substring(0, 8);
    private volatile @Nullable HeldLease held;
    /** A thread of its own: a renewal must not wait for other tasks, because the lease would expire. */
    private @Nullable ScheduledExecutorService clock;

    private Runnable onTaken = () -> {};

    private record HeldLease(Lease lease, long untilNanos) {}

    LeaseKeeper(LeaseStore store, RoundProperties properties) {
        this.store = store;
        this.properties = properties;
    }

    /** Starts to acquire the lease. {@code onTaken} is called whenever this replica has acquired it. */
    void start(Runnable onTaken) {
        this.onTaken = onTaken;
        clock = Executors.newSingleThreadScheduledExecutor(DaemonThreads.withName("spur-lease"));
        clock.execute(this::step);
    }

    /** The lease; empty if this replica does not hold it. */
    Optional<Lease> current() {
        HeldLease now = held;
        return now != null && now.untilNanos - System.nanoTime() > 0 ? Optional.of(now.lease) : Optional.empty();
    }

    /** Releases the lease, so that another replica can acquire it at once. */
    void stop() {
        ScheduledExecutorService stopping = clock;
        if (stopping == null) {
            return;
        }
        stopping.shutdownNow();
        try {
            stopping.awaitTermination(2, TimeUnit.SECONDS);
            HeldLease last = held;
            if (last != null) {
                store.release(last.lease);
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } catch (DataAccessException | TransactionException away) {
            LOG.info("the planner lease could not be released; it will expire: {}", away.getMessage());
        } finally {
            held = null;
        }
    }

    private void step() {
        try {
            HeldLease last = held;
            if (last == null || !keep(last.lease)) {
                take();
            }
        } catch (DataAccessException | TransactionException away) {
            LOG.warn("the planner lease could not be acquired or renewed; retrying: {}", away.getMessage());
        } catch (RuntimeException bug) {
            LOG.error("acquiring or renewing the planner lease failed", bug);
        } finally {
            next(held == null ? properties.standbyInterval() : properties.renewInterval());
        }
    }

    private void take() {
        long requestedAt = System.nanoTime();
        OptionalLong term = store.take(holder, Seconds.of(properties.lease()));
        if (term.isPresent()) {
            Lease lease = new Lease(holder, term.getAsLong());
            held = new HeldLease(lease, requestedAt + properties.lease().toNanos());
            LOG.info("this replica acquired the planner lease, term {}", lease.term());
            onTaken.run();
        }
    }

    /** Renews the lease. Returns false if it is lost. */
    private boolean keep(Lease lease) {
        long requestedAt = System.nanoTime();
        boolean isHeld = store.keep(lease, Seconds.of(properties.lease()));
        if (isHeld) {
            held = new HeldLease(lease, requestedAt + properties.lease().toNanos());
        } else {
            LOG.warn("this replica lost the planner lease, term {}", lease.term());
            held = null;
        }
        return isHeld;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // steps log their own exceptions
    private void next(Duration pause) {
        ScheduledExecutorService running = clock;
        if (running != null && !running.isShutdown()) {
            try {
                running.schedule(this::step, pause.toNanos(), TimeUnit.NANOSECONDS);
            } catch (java.util.concurrent.RejectedExecutionException stopped) {
                LOG.debug("stopped");
            }
        }
    }
}
