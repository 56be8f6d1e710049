package dev.spur.service.executors;

import dev.spur.service.database.RoundTrigger;
import dev.spur.service.jobs.JobTransitionStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.stereotype.Component;

/**
 * Periodic tasks: marks silent executors as lost, ends gangs that do not become complete, applies time limits, and ends
 * backoffs. Runs on every replica; each step may run concurrently with the same step of another replica.
 */
@Component
class ExecutorSweeper {
    private static final Logger LOG = LoggerFactory.getLogger(ExecutorSweeper.class);

    private final ClockJumpDetector clockWatch;
    private final ExecutorExpiry losses;
    private final GangSupervisor gangs;
    private final TimeLimitSupervisor timeLimits;
    private final JobTransitionStore transitions;
    private final RoundTrigger trigger;
    private final ExecutorProperties properties;
    private final TaskScheduler scheduler;

    ExecutorSweeper(
            ClockJumpDetector clockWatch,
            ExecutorExpiry losses,
            GangSupervisor gangs,
            TimeLimitSupervisor timeLimits,
            JobTransitionStore transitions,
            RoundTrigger trigger,
            ExecutorProperties properties,
            TaskScheduler scheduler) {
        this.clockWatch = clockWatch;
        this.losses = losses;
        this.gangs = gangs;
        this.timeLimits = timeLimits;
        this.transitions = transitions;
        this.trigger = trigger;
        this.properties = properties;
        this.scheduler = scheduler;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // steps log their own exceptions
    @EventListener(ApplicationStartedEvent.class)
    void start() {
        if (!properties.checkInterval().isZero()) {
            scheduler.scheduleWithFixedDelay(this::step, properties.checkInterval());
        }
    }

    /** Runs all tasks once. */
    void step() {
        runLogged("reading the database clock", clockWatch::read);
        runLogged("marking executors as lost", losses::sweep);
        runLogged("offering", gangs::offer);
        runLogged("withdrawing", gangs::withdraw);
        runLogged("ending late gangs", gangs::endLate);
        runLogged("changing ranks", gangs::rescale);
        runLogged("ending warm-ups", gangs::endLateWarmUps);
        runLogged("applying time limits", timeLimits::apply);
        runLogged("ending backoffs", this::endPauses);
        runLogged("beginning waits", this::beginWaits);
    }

    private void endPauses() {
        if (transitions.endPauses() > 0) {
            trigger.requestRound("a backoff ended");
        }
    }

    private void beginWaits() {
        if (transitions.beginWaits() > 0) {
            trigger.requestRound("the start time of a job has come");
        }
    }

    private void runLogged(String what, Runnable work) {
        try {
            work.run();
        } catch (RuntimeException away) {
            LOG.warn("{} failed; retrying: {}", what, away.getMessage());
        }
    }
}
