package dev.spur.service.rounds;

import dev.spur.model.round.CalendarEvents;
import dev.spur.service.database.NotificationChannel;
import dev.spur.service.database.NotificationListener;
import dev.spur.service.plans.Lease;
import dev.spur.service.plans.RoundStatus;
import dev.spur.service.rounds.RoundObserver.RoundReport;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Runs rounds on the replica that holds the lease: periodically, early after an important change, and on demand. A
 * failing round does not stop the loop.
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
    private @Nullable Thread thread;
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

    @EventListener(ApplicationStartedEvent.class)
    @SuppressWarnings("ThreadPriorityCheck") // the results do not depend on the order of the threads
    void start() {
        if (properties.enabled()) {
            keeper.start(() -> schedule.demand("takeover"));
            Thread rounds = new Thread(this::loop, "spur-rounds");
            // requests go first: a round waits for seconds, a caller for milliseconds; the solver's threads inherit
            // this
            rounds.setPriority(Thread.MIN_PRIORITY);
            thread = rounds;
            rounds.start();
        }
    }

    /** Aborts the running round unless it is about to be published, and releases the lease. */
    @EventListener(ContextClosedEvent.class)
    void stop() {
        schedule.stop();
        Thread rounds = thread;
        if (rounds != null) {
            rounds.interrupt();
            try {
                rounds.join(TimeUnit.SECONDS.toMillis(STOP_SECONDS));
            } catch (InterruptedException interruption) {
                Thread.currentThread().interrupt();
            }
            keeper.stop();
        }
    }

    @Override
    public String channel() {
        return NotificationChannel.CHANGED;
    }

    @Override
    public void onNotification(String payload) {
        if (payload.equals(REQUEST)) {
            schedule.demand("request");
        } else {
            schedule.requestRound(payload);
        }
    }

    @Override
    public void onReconnect() {
        if (connectedBefore) {
            schedule.requestRound("notifications may have been missed");
        }
        connectedBefore = true;
    }

    private void loop() {
        while (!schedule.isStopped()) {
            try {
                String trigger = schedule.awaitDue();
                if (trigger != null) {
                    keeper.current().ifPresent(lease -> runOnce(lease, trigger));
                }
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void runOnce(Lease lease, String trigger) {
        try {
            observers.forEach(RoundObserver::begins);
            RoundSteps.ofRound(observations, trigger).observe(() -> notifyObservers(runner.run(lease, trigger)));
        } catch (RuntimeException | VirtualMachineError away) {
            LOG.warn("the round could not begin; retrying: {}", away.toString());
            schedule.requestRound("the last round could not begin");
        } finally {
            observers.forEach(RoundObserver::onIdle);
        }
    }

    private void notifyObservers(RoundReport report) {
        if (report.snapshot() != null) {
            schedule.pace(report.snapshot().settings());
            schedule.opens(CalendarEvents.secondsToNext(report.snapshot().problem()));
        }
        if (report.outcome().status() == RoundStatus.FAILED && report.snapshot() == null) {
            schedule.requestRound("the last round read no snapshot");
        }
        observers.forEach(observer -> observer.onEnd(report));
    }
}
