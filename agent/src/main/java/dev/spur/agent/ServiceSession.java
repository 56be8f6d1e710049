package dev.spur.agent;

import dev.spur.agent.inventory.Inventory;
import dev.spur.agent.process.LeaseFile;
import dev.spur.agent.protocol.HostEnforcement;
import dev.spur.agent.protocol.Messages;
import dev.spur.agent.protocol.Messages.AggregatorCounts;
import dev.spur.agent.protocol.Messages.BrokenAggregator;
import dev.spur.agent.protocol.Messages.DeviceReport;
import dev.spur.agent.protocol.Messages.LeaseGrant;
import dev.spur.agent.protocol.Messages.RegistrationReply;
import dev.spur.agent.protocol.Messages.RunningAssignment;
import dev.spur.agent.protocol.Messages.StopOrder;
import dev.spur.agent.protocol.ServiceClient;
import dev.spur.agent.protocol.ServiceClient.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Registers the node and renews its lease on its own thread. Each registration has a new registration epoch. Without a
 * current registration the agent must not report to the service.
 */
final class ServiceSession implements Runnable {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration SOON = Duration.ofMillis(500);
    /** Maximum time in seconds until a guard detects an expired lease and kills its processes. */
    private static final double GUARD_SECONDS = 2;

    private static final String UNREACHABLE = "the service does not respond: ";

    private final ServiceClient service;
    private final Identity identity;
    private final Inventory inventory;
    private final LeaseFile lease;
    private final Supplier<List<RunningAssignment>> running;
    private final Aggregation aggregation;
    private final Supplier<List<DeviceReport>> health;
    private final Supplier<Optional<String>> refusal;
    private final Consumer<String> log;
    private final Semaphore news = new Semaphore(0);
    private final ConcurrentLinkedQueue<StopOrder> stops = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Terms terms;
    private volatile @Nullable Long observedRevision;
    private String lastError = "";

    ServiceSession(
            ServiceClient service,
            Identity identity,
            Inventory inventory,
            LeaseFile lease,
            Supplier<List<RunningAssignment>> running,
            Aggregation aggregation,
            Supplier<List<DeviceReport>> health,
            Supplier<Optional<String>> refusal,
            Consumer<String> log) {
        this.service = service;
        this.identity = identity;
        this.inventory = inventory;
        this.lease = lease;
        this.running = running;
        this.aggregation = aggregation;
        this.health = health;
        this.refusal = refusal;
        this.log = log;
    }

    /**
     * Identity of the agent.
     *
     * @param node name of the node and of the executor
     * @param instance id that is stable across restarts with the same state directory
     * @param version version of the program
     * @param address address of this node for other nodes
     * @param pool pool of a node that is not registered yet
     * @param aggregationSlots aggregation slots of a node that is not registered yet
     * @param hostEnforcement how the agent limits the host resources of jobs
     * @param sharesDevices true if jobs may take shares of devices
     */
    record Identity(
            String node,
            String instance,
            String version,
            String address,
            String pool,
            Map<String, String> labels,
            double aggregationSlots,
            HostEnforcement hostEnforcement,
            boolean sharesDevices) {
        Identity {
            labels = Map.copyOf(labels);
        }
    }

    /**
     * Aggregator data sent with each heartbeat.
     *
     * @param broken aggregators that ended without a stop request
     * @param counts counts of the running aggregators
     */
    record Aggregation(Supplier<List<BrokenAggregator>> broken, Supplier<List<AggregatorCounts>> counts) {}

    /** Terms of a registration, as returned by the service. */
    record Terms(
            long registrationEpoch,
            double ttlSeconds,
            double graceSeconds,
            double heartbeatSeconds,
            double pollHoldSeconds) {

        /** Returns the longest grace period that ends all processes before the service marks the node as lost. */
        double longestGraceSeconds() {
            return Math.max(0, graceSeconds - GUARD_SECONDS);
        }
    }

    /** Returns the terms of the current registration; null without one. */
    @Nullable
    Terms terms() {
        return terms;
    }

    /** Requests a new registration, because the service no longer accepts this registration epoch. */
    void registerAgain(long registrationEpoch) {
        Terms known = terms;
        if (known != null && known.registrationEpoch() == registrationEpoch) {
            terms = null;
        }
    }

    /** Requests a heartbeat without delay. */
    void requestHeartbeat() {
        news.release();
    }

    void setObservedRevision(long revision) {
        observedRevision = revision;
    }

    /**
     * Returns the assignments that the service wants stopped although no assignment requires it; null if there are
     * none.
     */
    @Nullable
    StopOrder nextStop() {
        return stops.poll();
    }

    @Override
    public void run() {
        while (!Thread.currentThread().isInterrupted()) {
            Duration pause = SOON;
            try {
                Terms known = terms;
                if (known == null) {
                    register();
                } else if (beat(known)) {
                    pause = Duration.ofMillis(Math.round(known.heartbeatSeconds() * 1000));
                }
                news.tryAcquire(pause.toMillis(), TimeUnit.MILLISECONDS);
                news.drainPermits();
            } catch (IOException unreachable) {
                logFailure(UNREACHABLE + ErrorMessages.of(unreachable));
                sleepABit();
            } catch (UncheckedIOException file) {
                logFailure("the lease cannot be recorded: " + ErrorMessages.of(file));
                sleepABit();
            } catch (JacksonException notOurs) {
                // another server responds at the address, such as a proxy with an error page
                logFailure("the service sent an invalid response: " + notOurs.getOriginalMessage());
                sleepABit();
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void register() throws IOException, InterruptedException {
        double before = LeaseFile.uptime();
        Answer answer = service.put("/api/v1/executors/" + identity.node(), registration(), TIMEOUT);
        logRecovery();
        if (!answer.isFine()) {
            logFailure("the service rejected the registration: " + answer.problem());
            return;
        }
        RegistrationReply reply = answer.as(RegistrationReply.class);
        lease.renew(before, seconds(reply.leaseTtlSeconds()));
        stops.addAll(reply.stop());
        terms = new Terms(
                reply.registrationEpoch(),
                reply.leaseTtlSeconds(),
                reply.leaseGraceSeconds(),
                reply.heartbeatSeconds(),
                reply.pollHoldSeconds());
        lastError = "";
        log.accept("registered as %s, registration epoch %d; the lease lasts %.0f s"
                .formatted(identity.node(), reply.registrationEpoch(), reply.leaseTtlSeconds()));
    }

    private Messages.Registration registration() {
        return new Messages.Registration(
                identity.instance(),
                identity.version(),
                identity.address(),
                identity.pool(),
                inventory.type().orElse(null),
                inventory.devices().stream()
                        .mapToDouble(d -> d.memoryGiB())
                        .max()
                        .orElse(0),
                inventory.devices().stream()
                        .map(device -> new Messages.DeviceEntry(device.id(), device.sliceOf()))
                        .toList(),
                inventory.cpus(),
                inventory.memoryGiB(),
                identity.aggregationSlots(),
                identity.hostEnforcement(),
                identity.labels(),
                identity.sharesDevices(),
                running.get());
    }

    /** Sends a heartbeat. Returns true if the lease was renewed. */
    private boolean beat(Terms known) throws IOException, InterruptedException {
        double before = LeaseFile.uptime();
        var status = new Messages.Status(
                known.registrationEpoch(),
                observedRevision,
                health.get(),
                running.get(),
                aggregation.broken().get(),
                aggregation.counts().get(),
                refusal.get().orElse(null));
        Answer answer = service.put("/api/v1/executors/%s/heartbeat".formatted(identity.node()), status, TIMEOUT);
        logRecovery();
        if (answer.isFine()) {
            LeaseGrant grant = answer.as(LeaseGrant.class);
            lease.renew(before, seconds(grant.leaseTtlSeconds()));
            stops.addAll(grant.stop());
            lastError = "";
            return true;
        }
        logFailure("the service rejected the heartbeat: " + answer.problem());
        if (answer.status() == 404 || answer.status() == 409) {
            terms = null;
        }
        return false;
    }

    /** Logs a failure unless it equals the previous one; retries occur every half second. */
    private void logFailure(String text) {
        if (!text.equals(lastError)) {
            log.accept(text);
            lastError = text;
        }
    }

    /** Logs the first response after requests without a response. */
    private void logRecovery() {
        if (lastError.startsWith(UNREACHABLE)) {
            log.accept("the service responds again");
            lastError = "";
        }
    }

    private static void sleepABit() {
        try {
            // full jitter, so that the agents of a cluster do not reconnect at the same time
            Thread.sleep((long) (Math.random() * 2 * SOON.toMillis()));
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    private static Duration seconds(double seconds) {
        return Duration.ofMillis(Math.round(seconds * 1000));
    }
}
