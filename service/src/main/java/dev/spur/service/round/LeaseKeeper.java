package dev.spur.service.round;

import dev.spur.service.background.Daemons;
import dev.spur.service.store.LeaseStore;
import java.lang.management.ManagementFactory;
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
 * Takes the lease when it is free and keeps it. What it says is a good guess, made on the monotonic clock of this process;
 * that only one replica plans is ensured where a plan is published.
 */
@Component
class LeaseKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);

    private final LeaseStore store;
    private final RoundProperties properties;
    private final String holder = ManagementFactory.getRuntimeMXBean().getName() + "/"
            + UUID.randomUUID().toString().substring(0, 8);
    private @Nullable ScheduledExecutorService clock;
    private volatile @Nullable Held held;
    private Runnable onTaken = () -> {};

    private record Held(Lease lease, long untilNanos) {}

    LeaseKeeper(LeaseStore store, RoundProperties properties) {
        this.store = store;
        this.properties = properties;
    }

    /** Begins to ask for the lease. {@code onTaken} runs each time that it is taken. */
    void start(Runnable onTaken) {
        this.onTaken = onTaken;
        clock = Executors.newSingleThreadScheduledExecutor(Daemons.named("spur-lease"));
        clock.execute(this::step);
    }

    /** The lease, if this replica holds it. */
    Optional<Lease> current() {
        Held now = held;
        return now != null && now.untilNanos - System.nanoTime() > 0 ? Optional.of(now.lease) : Optional.empty();
    }

    /** Gives the lease back, so that another replica can take it at once. */
    void stop() {
        ScheduledExecutorService stopping = clock;
        if (stopping == null) {
            return;
        }
        stopping.shutdownNow();
        Held now = held;
        held = null;
        try {
            stopping.awaitTermination(2, TimeUnit.SECONDS);
            if (now != null) {
                store.release(now.lease.holder(), now.lease.epoch());
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } catch (DataAccessException | TransactionException away) {
            LOG.info("the lease could not be given back and will run out: {}", away.getMessage());
        }
    }

    private void step() {
        try {
            if (held == null) {
                take();
            } else {
                keep(held.lease);
            }
        } catch (DataAccessException | TransactionException away) {
            LOG.warn("the lease could not be asked for: {}", away.getMessage());
        } catch (RuntimeException bug) {
            LOG.error("the lease could not be asked for", bug);
        } finally {
            next(held == null ? properties.standbySeconds() : properties.renewSeconds());
        }
    }

    private void take() {
        long asked = System.nanoTime();
        OptionalLong epoch = store.take(holder, properties.leaseSeconds());
        if (epoch.isPresent()) {
            held = new Held(new Lease(holder, epoch.getAsLong()), asked + nanos(properties.leaseSeconds()));
            LOG.info("this replica plans, epoch {}", epoch.getAsLong());
            onTaken.run();
        }
    }

    private void keep(Lease lease) {
        long asked = System.nanoTime();
        if (store.keep(lease.holder(), lease.epoch(), properties.leaseSeconds())) {
            held = new Held(lease, asked + nanos(properties.leaseSeconds()));
        } else {
            LOG.warn("this replica has lost epoch {}", lease.epoch());
            held = null;
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what a step throws it logs itself
    private void next(double seconds) {
        ScheduledExecutorService running = clock;
        if (running != null && !running.isShutdown()) {
            try {
                running.schedule(this::step, nanos(seconds), TimeUnit.NANOSECONDS);
            } catch (java.util.concurrent.RejectedExecutionException stopped) {
                LOG.debug("stopped");
            }
        }
    }

    private static long nanos(double seconds) {
        return (long) (seconds * 1e9);
    }
}
