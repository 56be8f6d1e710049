package dev.spur.service.round;

import dev.spur.model.round.Openings;
import dev.spur.service.store.Channel;
import dev.spur.service.store.DatabaseListener;
import dev.spur.service.store.RoundStatus;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Runs rounds on the one replica that holds the lease: every period, early when something important changed, and on
 * demand. Nothing that a round does can end the loop.
 */
@Component
class RoundLoop implements SmartLifecycle, DatabaseListener {
    private static final Logger LOG = LoggerFactory.getLogger(RoundLoop.class);
    private static final long STOP_SECONDS = 10;

    /** Payload on the channel of changes that asks for a round at once. */
    static final String DEMAND = "demand";

    private final RoundRunner runner;
    private final LeaseKeeper keeper;
    private final RoundProperties properties;
    private final List<RoundObserver> observers;
    private final RoundSchedule schedule;
    private final ObservationRegistry observations;
    private @Nullable Thread thread;
    private volatile boolean running;
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

    @Override
    public void start() {
        running = true;
        if (properties.enabled()) {
            keeper.start(() -> schedule.demand("takeover"));
            thread = new Thread(this::loop, "spur-rounds");
            thread.start();
        }
    }

    /** Abandons the round that runs, unless it is about to be published, and gives the lease back. */
    @Override
    public void stop() {
        schedule.stop();
        Thread stopping = thread;
        if (stopping != null) {
            stopping.interrupt();
            try {
                stopping.join(TimeUnit.SECONDS.toMillis(STOP_SECONDS));
            } catch (InterruptedException impatient) {
                Thread.currentThread().interrupt();
            }
            keeper.stop();
        }
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public String channel() {
        return Channel.CHANGED;
    }

    @Override
    public void heard(String payload) {
        if (payload.equals(DEMAND)) {
            schedule.demand("request");
        } else {
            schedule.changed(payload);
        }
    }

    @Override
    public void reconnected() {
        if (connectedBefore) {
            schedule.changed("notifications may have been missed");
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
            Observed.round(observations, trigger).observe(() -> tell(runner.run(lease, trigger)));
        } catch (RuntimeException | VirtualMachineError away) {
            LOG.warn("no round could begin: {}", away.toString());
            schedule.changed("the last round could not begin");
        } finally {
            observers.forEach(RoundObserver::over);
        }
    }

    private void tell(RoundReport report) {
        if (report.snapshot() != null) {
            schedule.pace(report.snapshot().settings());
            schedule.opens(Openings.secondsToNext(report.snapshot().problem()));
        }
        if (report.outcome().status() == RoundStatus.FAILED && report.snapshot() == null) {
            schedule.changed("the last round saw nothing");
        }
        observers.forEach(observer -> observer.ended(report));
    }
}
