package dev.spur.service.round;

import dev.spur.service.retention.DaemonThreads;
import dev.spur.service.store.LeaseStore;
import dev.spur.service.store.PlanningDomainStore;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/**
 * Takes the lease when it is free and keeps it; of planning domains its share, so that each replica has about as many.
 * What it says is a good guess, made on the monotonic clock of this process; that only one replica plans is ensured
 * where a plan is published.
 */
@Component
class LeaseKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);
    /** Stands for what is not divided, since a map holds no null; no domain has such a name. */
    private static final String WHOLE = "";

    private final LeaseStore store;
    private final PlanningDomainStore domains;
    private final RoundProperties properties;
    private final String holder = ManagementFactory.getRuntimeMXBean().getName() + "/"
            + UUID.randomUUID().toString().substring(0, 8);
    private final Map<String, HeldLease> held = new ConcurrentSkipListMap<>();
    private @Nullable ScheduledExecutorService clock;
    private Consumer<Lease> onTaken = lease -> {};

    private record HeldLease(Lease lease, long untilNanos) {}

    LeaseKeeper(LeaseStore store, PlanningDomainStore domains, RoundProperties properties) {
        this.store = store;
        this.domains = domains;
        this.properties = properties;
    }

    /** Begins to ask for leases. {@code onTaken} is told each time that one is taken. */
    void start(Consumer<Lease> onTaken) {
        this.onTaken = onTaken;
        clock = Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("spur-lease"));
        clock.execute(this::step);
    }

    /** The lease of everything, if nothing is divided and this replica holds it. */
    Optional<Lease> current() {
        return current(null);
    }

    /** The lease of a planning domain, if this replica holds it. */
    Optional<Lease> current(@Nullable String domain) {
        HeldLease now = held.get(key(domain));
        return now != null && now.untilNanos - System.nanoTime() > 0 ? Optional.of(now.lease) : Optional.empty();
    }

    /** How many leases this replica holds. */
    int count() {
        return (int) held.values().stream()
                .filter(each -> current(each.lease.domain()).isPresent())
                .count();
    }

    /** Gives all leases back, so that another replica can take them at once. */
    void stop() {
        ScheduledExecutorService stopping = clock;
        if (stopping == null) {
            return;
        }
        stopping.shutdownNow();
        try {
            stopping.awaitTermination(2, TimeUnit.SECONDS);
            boolean divided = !held.containsKey(WHOLE) && !held.isEmpty();
            for (HeldLease each : List.copyOf(held.values())) {
                giveBack(each.lease);
            }
            if (divided) {
                store.leave(holder);
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } catch (DataAccessException | TransactionException away) {
            LOG.info("the lease could not be given back and will run out: {}", away.getMessage());
        } finally {
            held.clear();
        }
    }

    private void step() {
        boolean wantsMore = true;
        try {
            wantsMore = takeShare();
        } catch (DataAccessException | TransactionException away) {
            LOG.warn("the lease could not be asked for: {}", away.getMessage());
            wantsMore = held.isEmpty();
        } catch (RuntimeException bug) {
            LOG.error("the lease could not be asked for", bug);
        } finally {
            next(wantsMore ? properties.standbySeconds() : properties.renewSeconds());
        }
    }

    /** Keeps what it has and takes what it may have. Returns whether it may have more. */
    private boolean takeShare() {
        List<String> names = domains.names();
        boolean divided = !names.isEmpty();
        List<String> all = divided ? names : List.of(WHOLE);
        // says that it is there before it renews: whoever has lost a lease is not counted any more
        int replicas = divided ? store.planners(holder, properties.leaseSeconds()) : 1;
        int share = (all.size() + replicas - 1) / replicas;
        held.keySet().retainAll(all);
        held.values().forEach(each -> keep(each.lease));
        List<HeldLease> had = new ArrayList<>(held.values());
        while (had.size() > share) {
            giveBack(had.remove(had.size() - 1).lease);
        }
        for (String name : all) {
            if (held.size() < share && !held.containsKey(name)) {
                take(name.equals(WHOLE) ? null : name);
            }
        }
        return held.size() < share;
    }

    private void take(@Nullable String domain) {
        long asked = System.nanoTime();
        OptionalLong term = store.take(domain, holder, properties.leaseSeconds());
        if (term.isPresent()) {
            Lease lease = new Lease(holder, term.getAsLong(), domain);
            held.put(key(domain), new HeldLease(lease, asked + nanos(properties.leaseSeconds())));
            LOG.info("this replica plans{}, term {}", of(domain), lease.term());
            onTaken.accept(lease);
        }
    }

    private void keep(Lease lease) {
        long asked = System.nanoTime();
        if (store.keep(lease.domain(), lease.holder(), lease.term(), properties.leaseSeconds())) {
            held.put(key(lease.domain()), new HeldLease(lease, asked + nanos(properties.leaseSeconds())));
        } else {
            LOG.warn("this replica has lost{} term {}", of(lease.domain()), lease.term());
            held.remove(key(lease.domain()));
        }
    }

    /** A round that runs under it ends as fenced. */
    private void giveBack(Lease lease) {
        held.remove(key(lease.domain()));
        store.release(lease.domain(), lease.holder(), lease.term());
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

    private static String key(@Nullable String domain) {
        return domain == null ? WHOLE : domain;
    }

    private static String of(@Nullable String domain) {
        return domain == null ? "" : " domain " + domain;
    }

    private static long nanos(double seconds) {
        return (long) (seconds * 1e9);
    }
}
