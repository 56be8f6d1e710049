package dev.spur.service.rounds;

import dev.spur.service.database.NotificationChannel;
import dev.spur.service.database.Notifier;
import dev.spur.service.database.RoundTrigger;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.task.TaskRejectedException;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Notifies the planning replica of changes: directly in the same process, otherwise through the database. Notifications
 * serialize commits, so several changes share one. None is sent if this replica plans.
 */
@Component
class PlannerNotifier implements RoundTrigger {
    private static final Logger LOG = LoggerFactory.getLogger(PlannerNotifier.class);
    private static final Duration COLLECTION = Duration.ofMillis(200);

    private final RoundSchedule schedule;
    private final LeaseKeeper keeper;
    private final Notifier announcements;
    private final AtomicReference<@Nullable String> unsent = new AtomicReference<>();
    private final TaskScheduler scheduler;

    PlannerNotifier(RoundSchedule schedule, LeaseKeeper keeper, Notifier announcements, TaskScheduler scheduler) {
        this.schedule = schedule;
        this.keeper = keeper;
        this.announcements = announcements;
        this.scheduler = scheduler;
    }

    @Override
    public void requestRound(String why) {
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    signal(why);
                }
            });
        } else {
            signal(why);
        }
    }

    private void signal(String why) {
        if (keeper.current().isPresent()) {
            schedule.requestRound(why);
        } else if (unsent.getAndSet(why) == null) {
            sendSoon();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a notification logs its own exceptions
    private void sendSoon() {
        try {
            scheduler.schedule(this::send, Instant.now().plus(COLLECTION));
        } catch (TaskRejectedException stopping) {
            send();
        }
    }

    private void send() {
        String why = unsent.getAndSet(null);
        if (why == null) {
            return;
        }
        try {
            announcements.send(NotificationChannel.CHANGED, why);
        } catch (RuntimeException away) {
            LOG.warn("the planner could not be notified of a change; the next round reads it: {}", away.getMessage());
        }
    }
}
