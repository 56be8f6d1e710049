package dev.spur.service.executor;

import dev.spur.model.Seconds;
import dev.spur.service.assignment.AssignmentState;
import dev.spur.service.assignment.AssignmentStore;
import dev.spur.service.assignment.StoredAssignment;
import dev.spur.service.job.JobChanges;
import dev.spur.service.job.JobStore;
import dev.spur.service.job.StoredJob;
import dev.spur.service.retention.DaemonThreads;
import dev.spur.service.trigger.RoundTrigger;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Periodic tasks: marks silent executors as lost, ends gangs that do not become complete, and ends backoffs. Runs on
 * every replica; each step may run concurrently with the same step of another replica.
 */
@Component
class ExecutorSweeper implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(ExecutorSweeper.class);

    private final ClockJumpDetector clockWatch;
    private final ExecutorExpiry losses;
    private final AssignmentStore assignments;
    private final GangStore gangs;
    private final JobStore jobs;
    private final JobChanges changes;
    private final AssignmentCompletion endings;
    private final RoundTrigger trigger;
    private final ExecutorProperties properties;
    private final TransactionTemplate transaction;
    private final ScheduledThreadPoolExecutor clock;
    private volatile boolean running;

    ExecutorSweeper(
            ClockJumpDetector clockWatch,
            ExecutorExpiry losses,
            AssignmentStore assignments,
            GangStore gangs,
            JobStore jobs,
            JobChanges changes,
            AssignmentCompletion endings,
            RoundTrigger trigger,
            ExecutorProperties properties,
            TransactionTemplate transaction) {
        this.clockWatch = clockWatch;
        this.losses = losses;
        this.assignments = assignments;
        this.gangs = gangs;
        this.jobs = jobs;
        this.changes = changes;
        this.endings = endings;
        this.trigger = trigger;
        this.properties = properties;
        this.transaction = transaction;
        this.clock = new ScheduledThreadPoolExecutor(1, DaemonThreads.named("spur-steward"));
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // steps log their own exceptions
    public void start() {
        running = true;
        long pause = properties.checkInterval().toMillis();
        if (pause > 0) {
            clock.scheduleWithFixedDelay(this::step, pause, pause, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void stop() {
        running = false;
        clock.shutdownNow();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Runs all tasks once. */
    void step() {
        quietly("reading the database clock", clockWatch::read);
        quietly("marking executors as lost", losses::sweep);
        quietly(
                "offering",
                () -> transaction.executeWithoutResult(status -> assignments.offer(assignments.unoffered())));
        quietly("withdrawing", gangs::withdraw);
        quietly("ending late gangs", this::endLateGangs);
        quietly("ending backoffs", this::endPauses);
    }

    private void endLateGangs() {
        gangs.stampReady();
        for (GangStore.Gang gang : gangs.late(Seconds.of(properties.gangTimeout()))) {
            transaction.executeWithoutResult(status -> jobs.lock(gang.jobId())
                    .filter(job -> job.generation() == gang.generation() && job.allocation() != null)
                    .ifPresent(job -> endLate(job, assignments.gang(gang.jobId(), gang.generation()))));
        }
    }

    /** The missing members are those that have not accepted, or, if all have, those that have not started. */
    private void endLate(StoredJob job, List<StoredAssignment> gang) {
        List<String> silent = nodesIn(AssignmentState.OFFERED, gang);
        List<String> missing = silent.isEmpty() ? nodesIn(AssignmentState.ACCEPTED, gang) : silent;
        if (!missing.isEmpty()) {
            endings.late(job, missing);
        }
    }

    private static List<String> nodesIn(AssignmentState state, List<StoredAssignment> gang) {
        return gang.stream()
                .filter(member -> member.state() == state)
                .map(member -> member.key().node())
                .toList();
    }

    private void endPauses() {
        if (changes.endPauses() > 0) {
            trigger.changed("a backoff ended");
        }
    }

    private void quietly(String what, Runnable work) {
        try {
            if (running) {
                work.run();
            }
        } catch (RuntimeException away) {
            LOG.warn("{} failed; retrying: {}", what, away.getMessage());
        }
    }
}
