package dev.spur.service.round;

import dev.spur.model.Seconds;
import dev.spur.service.lease.Lease;
import dev.spur.service.lease.LeaseStore;
import dev.spur.service.retention.DaemonThreads;
import dev.spur.service.settings.PlanningDomainStore;
import java.lang.management.ManagementFactory;
import java.time.Duration;
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
 * Leader election by leases: acquires and renews the planner's leader lease. With planning domains it takes a fair
 * share of the leases, so that all replicas have about the same number. Its state is only an estimate by the monotonic
 * clock of this process. The fencing token guarantees at publication that only one replica plans.
 */
@Component
class LeaseKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);
    /** Map key of the whole cluster, because the map does not allow null; no domain has this name. */
    private static final String WHOLE = "";

    private final LeaseStore store;
    private final PlanningDomainStore domains;
    private final RoundProperties properties;
    private final String holder = ManagementFactory.getRuntimeMXBean().getName() + "/"
            + UUID.randomUUID().toString().substring(0, 8);
    private final Map<String, HeldLease> held = new ConcurrentSkipListMap<>();
    /** A thread of its own: a renewal must not wait for other tasks, because the lease would expire. */
    private @Nullable ScheduledExecutorService clock;

    private Consumer<Lease> onTaken = lease -> {};

    private record HeldLease(Lease lease, long untilNanos) {}

    LeaseKeeper(LeaseStore store, PlanningDomainStore domains, RoundProperties properties) {
        this.store = store;
        this.domains = domains;
        this.properties = properties;
    }

    /** Starts to acquire leases. {@code onTaken} is called for each acquired lease. */
    void start(Consumer<Lease> onTaken) {
        this.onTaken = onTaken;
        clock = Executors.newSingleThreadScheduledExecutor(DaemonThreads.withName("spur-lease"));
        clock.execute(this::step);
    }

    /** The lease of the whole cluster; empty if there are domains or another replica holds it. */
    Optional<Lease> current() {
        return current(null);
    }

    /** The lease of a planning domain; empty if another replica holds it. */
    Optional<Lease> current(@Nullable String domain) {
        HeldLease now = held.get(key(domain));
        return now != null && now.untilNanos - System.nanoTime() > 0 ? Optional.of(now.lease) : Optional.empty();
    }

    /** Number of leases that this replica holds. */
    int count() {
        return (int) held.values().stream()
                .filter(each -> current(each.lease.domain()).isPresent())
                .count();
    }

    /** Releases all leases, so that another replica can acquire them at once. */
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
                release(each.lease);
            }
            if (divided) {
                store.removeCandidate(holder);
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } catch (DataAccessException | TransactionException away) {
            LOG.info("the planner lease could not be released; it will expire: {}", away.getMessage());
        } finally {
            held.clear();
        }
    }

    private void step() {
        boolean wantsMore = true;
        try {
            wantsMore = takeShare();
        } catch (DataAccessException | TransactionException away) {
            LOG.warn("the planner lease could not be acquired or renewed; retrying: {}", away.getMessage());
            wantsMore = held.isEmpty();
        } catch (RuntimeException bug) {
            LOG.error("acquiring or renewing the planner lease failed", bug);
        } finally {
            next(wantsMore ? properties.standbyInterval() : properties.renewInterval());
        }
    }

    /** Renews the held leases and acquires free ones up to the share. Returns whether the share allows more. */
    private boolean takeShare() {
        List<String> names = domains.names();
        boolean divided = !names.isEmpty();
        List<String> all = divided ? names : List.of(WHOLE);
        // report this replica as present before the renewal: a replica that has lost its leases is not counted any more
        int replicas = divided ? store.planners(holder, Seconds.of(properties.lease())) : 1;
        int share = (all.size() + replicas - 1) / replicas;
        held.keySet().retainAll(all);
        held.values().forEach(each -> keep(each.lease));
        List<HeldLease> had = new ArrayList<>(held.values());
        while (had.size() > share) {
            release(had.remove(had.size() - 1).lease);
        }
        for (String name : all) {
            if (held.size() < share && !held.containsKey(name)) {
                take(name.equals(WHOLE) ? null : name);
            }
        }
        return held.size() < share;
    }

    private void take(@Nullable String domain) {
        long requestedAt = System.nanoTime();
        OptionalLong term = store.take(domain, holder, Seconds.of(properties.lease()));
        if (term.isPresent()) {
            Lease lease = new Lease(holder, term.getAsLong(), domain);
            held.put(
                    key(domain),
                    new HeldLease(lease, requestedAt + properties.lease().toNanos()));
            LOG.info("this replica acquired the planner lease{}, term {}", of(domain), lease.term());
            onTaken.accept(lease);
        }
    }

    private void keep(Lease lease) {
        long requestedAt = System.nanoTime();
        if (store.keep(lease.domain(), lease.holder(), lease.term(), Seconds.of(properties.lease()))) {
            held.put(
                    key(lease.domain()),
                    new HeldLease(lease, requestedAt + properties.lease().toNanos()));
        } else {
            LOG.warn("this replica lost the planner lease{}, term {}", of(lease.domain()), lease.term());
            held.remove(key(lease.domain()));
        }
    }

    /** Releases a lease. A round that runs under it ends as fenced. */
    private void release(Lease lease) {
        held.remove(key(lease.domain()));
        store.removeCandidate(lease.domain(), lease.holder(), lease.term());
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

    private static String key(@Nullable String domain) {
        return domain == null ? WHOLE : domain;
    }

    private static String of(@Nullable String domain) {
        return domain == null ? "" : " domain " + domain;
    }
}
