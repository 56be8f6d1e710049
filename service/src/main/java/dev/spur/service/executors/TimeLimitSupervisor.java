package dev.spur.service.executors;

import dev.spur.model.job.TimeLimit;
import dev.spur.service.jobs.JobEventDetail.Interruption;
import dev.spur.service.jobs.JobState;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.jobs.JobTransitionStore;
import dev.spur.service.jobs.StoredJob;
import dev.spur.service.jobs.TimeLimitStore;
import dev.spur.service.jobs.lifecycle.JobTermination;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.Objects;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Ends or requeues the jobs that have reached their time limit. Their executors stop the processes as for every other
 * end, with the notice of the command.
 */
@Component
class TimeLimitSupervisor {
    private final TimeLimitStore limits;
    private final JobStore jobs;
    private final JobTransitionStore transitions;
    private final JobTermination ending;
    private final MeterRegistry registry;
    private final TransactionTemplate transaction;

    TimeLimitSupervisor(
            TimeLimitStore limits,
            JobStore jobs,
            JobTransitionStore transitions,
            JobTermination ending,
            MeterRegistry registry,
            TransactionTemplate transaction) {
        this.limits = limits;
        this.jobs = jobs;
        this.transitions = transitions;
        this.ending = ending;
        this.registry = registry;
        this.transaction = transaction;
        for (TimeLimit.Action action : TimeLimit.Action.values()) {
            count(action, 0);
        }
    }

    /** Applies all limits that are reached. Any replica may do so, also concurrently. */
    void apply() {
        for (String id : limits.over()) {
            transaction.executeWithoutResult(
                    status -> jobs.lock(id).filter(job -> limits.isOver(id)).ifPresent(this::apply));
        }
    }

    private void apply(StoredJob job) {
        TimeLimit limit = Objects.requireNonNull(job.trainingSpec().timeLimit());
        Interruption detail = Interruption.ofTimeLimit(job.generation(), limit);
        switch (limit.onLimit()) {
            case END -> ending.end(job, JobState.FAILED, detail);
            case REQUEUE -> ending.requeue(job, transitions.failures(job.id()), 0, detail);
        }
        count(limit.onLimit(), 1);
    }

    private void count(TimeLimit.Action action, int jobs) {
        registry.counter("spur.jobs.limited", "action", action.name().toLowerCase(Locale.ROOT))
                .increment(jobs);
    }
}
