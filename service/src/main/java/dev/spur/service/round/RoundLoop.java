package dev.spur.service.round;

import dev.spur.model.round.CalendarEvents;
import dev.spur.service.database.NotificationChannel;
import dev.spur.service.database.NotificationListener;
import dev.spur.service.lease.Lease;
import dev.spur.service.round.RoundObserver.RoundReport;
import dev.spur.service.round.history.RoundStatus;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Runs rounds on the replica that holds the lease: periodically, early after an important change, and on demand. Each
 * planning domain has its own schedule; one replica runs one round at a time. A failing round does not stop the loop.
 */
@Component
class RoundLoop implements NotificationListener {
    private static final Logger LOG = LoggerFactory.getLogger(RoundLoop.class);
    private static final long STOP_SECONDS = 10;

    /** Payload on the notification channel that requests an immediate round. */
    static final String REQUEST = "demand";

    private final RoundRunner runner;
    private final LeaseKeeper keeper;
    private final RoundProperties properties;
    private final List<RoundObserver> observers;
    private final RoundSchedule schedule;
    private final ObservationRegistry observations;
    private final Map<String, RoundSchedule> domains = new ConcurrentHashMap<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    /** Serializes the rounds of this replica, because each uses all processors. */
    private final ReentrantLock turn = new ReentrantLock(true);

    private volatile boolean connectedBefore;

    RoundLoop(
            RoundRunner runner,
            LeaseKeeper keeper,
            RoundProperties properties,
            List<RoundObserver> observers,
            RoundSchedule schedule,
            ObservationRegistry observations) {
        this.runner = runner;
        this.keeper = keeper;
        this.properties = properties;
        this.observers = List.copyOf(observers);
        this.schedule = schedule;
        this.observations = observations;
    }

    /** The payload that requests a round of {@code domain}; null if there are no domains. */
    static String demand(@Nullable String domain) {
        return domain == null ? REQUEST : REQUEST + ":" + domain;
    }

    @EventListener(ApplicationStartedEvent.class)
    void start() {
        if (properties.enabled()) {
            keeper.start(lease -> of(lease.domain()).demand("takeover"));
            begin("spur-rounds", null, schedule);
        }
    }

    /** The schedule of a domain; a new domain gets its own thread. */
    private RoundSchedule of(@Nullable String domain) {
        return domain == null
                ? schedule
                : domains.computeIfAbsent(domain, name -> {
                    RoundSchedule own = new RoundSchedule();
                    begin("spur-rounds-" + name, name, own);
                    return own;
                });
    }

    @SuppressWarnings("ThreadPriorityCheck") // the results do not depend on the order of the threads
    private void begin(String name, @Nullable String domain, RoundSchedule own) {
        Thread thread = new Thread(() -> loop(domain, own), name);
        // requests go first: a round waits for seconds, a caller for milliseconds; the solver's threads inherit this
        thread.setPriority(Thread.MIN_PRIORITY);
        threads.add(thread);
        thread.start();
    }

    /** Aborts the running round unless it is about to be published, and releases the leases. */
    @EventListener(ContextClosedEvent.class)
    void stop() {
        schedules(RoundSchedule::stop);
        if (!threads.isEmpty()) {
            threads.forEach(Thread::interrupt);
            try {
                for (Thread stopping : threads) {
                    stopping.join(TimeUnit.SECONDS.toMillis(STOP_SECONDS));
                }
            } catch (InterruptedException interruption) {
                Thread.currentThread().interrupt();
            }
            keeper.stop();
        }
    }

    private void schedules(Consumer<RoundSchedule> action) {
        action.accept(schedule);
        domains.values().forEach(action);
    }

    @Override
    public String channel() {
        return NotificationChannel.CHANGED;
    }

    @Override
    public void onNotification(String payload) {
        if (payload.equals(REQUEST)) {
            schedule.demand("request");
        } else if (payload.startsWith(REQUEST + ":")) {
            RoundSchedule requested = domains.get(payload.substring(REQUEST.length() + 1));
            if (requested != null) {
                requested.demand("request");
            }
        } else {
            schedules(each -> each.requestRound(payload));
        }
    }

    @Override
    public void onReconnect() {
        if (connectedBefore) {
            schedules(each -> each.requestRound("notifications may have been missed"));
        }
        connectedBefore = true;
    }

    private void loop(@Nullable String domain, RoundSchedule own) {
        while (!own.isStopped()) {
            try {
                String trigger = own.awaitDue();
                if (trigger != null && keeper.current(domain).isPresent()) {
                    inTurn(domain, own, trigger);
                }
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void inTurn(@Nullable String domain, RoundSchedule own, String trigger) throws InterruptedException {
        turn.lockInterruptibly();
        try {
            keeper.current(domain).ifPresent(lease -> runOnce(lease, own, trigger));
        } finally {
            turn.unlock();
        }
    }

    private void runOnce(Lease lease, RoundSchedule own, String trigger) {
        try {
            observers.forEach(RoundObserver::begins);
            RoundSteps.ofRound(observations, trigger).observe(() -> notifyObservers(own, runner.run(lease, trigger)));
        } catch (RuntimeException | VirtualMachineError away) {
            LOG.warn("the round could not begin; retrying: {}", away.toString());
            own.requestRound("the last round could not begin");
        } finally {
            observers.forEach(RoundObserver::onIdle);
        }
    }

    private void notifyObservers(RoundSchedule own, RoundReport report) {
        if (report.snapshot() != null) {
            own.pace(report.snapshot().settings());
            own.opens(CalendarEvents.secondsToNext(report.snapshot().problem()));
        }
        if (report.outcome().status() == RoundStatus.FAILED && report.snapshot() == null) {
            own.requestRound("the last round read no snapshot");
        }
        observers.forEach(observer -> observer.onEnd(report));
    }
}
