package dev.spur.service.jobs.lifecycle;

import dev.spur.service.database.RoundTrigger;
import dev.spur.service.jobs.DependencyStore.CanceledJob;
import dev.spur.service.jobs.JobEventDetail;
import dev.spur.service.jobs.JobEventDetail.Interruption;
import dev.spur.service.jobs.JobKind;
import dev.spur.service.jobs.JobState;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.jobs.JobTransitionStore;
import dev.spur.service.jobs.StoredJob;
import dev.spur.service.jobs.learning.SpeedLearning;
import java.util.List;
import org.springframework.stereotype.Component;

/** Ends jobs and requeues them. Each method must run in the transaction that has locked the job. */
@Component
public class JobTermination {
    private final JobTransitionStore transitions;
    private final SpeedLearning learning;
    private final Dependencies dependencies;
    private final JobStore jobs;
    private final RoundTrigger trigger;

    JobTermination(
            JobTransitionStore transitions,
            SpeedLearning learning,
            Dependencies dependencies,
            JobStore jobs,
            RoundTrigger trigger) {
        this.transitions = transitions;
        this.dependencies = dependencies;
        this.jobs = jobs;
        this.learning = learning;
        this.trigger = trigger;
    }

    /**
     * Ends a job, and meets or cancels what depends on it.
     *
     * @param detail detail of the event
     */
    public void end(StoredJob job, JobState state, JobEventDetail detail) {
        transitions.end(job.id(), state, JobOwnerCommands.slots(job), detail);
        learn(job);
        learn(dependencies.end(List.of(job.id()), job.arrayId() != null, state));
        trigger.requestRound("job ended");
    }

    /** Completes the cancellation of jobs that a statement has canceled with their events. */
    void endAll(List<CanceledJob> canceled) {
        learn(canceled);
        learn(dependencies.end(canceled.stream().map(CanceledJob::id).toList(), true, JobState.CANCELLED));
        trigger.requestRound("jobs canceled");
    }

    private void learn(List<CanceledJob> canceled) {
        canceled.stream()
                .filter(CanceledJob::ran)
                .forEach(job -> jobs.find(job.id()).ifPresent(this::learn));
    }

    private void learn(StoredJob job) {
        if (job.kind() == JobKind.TRAINING) {
            learning.end(job.id(), job.trainingSpec());
        }
    }

    /**
     * Returns a job to the queue and records the cause.
     *
     * @param failures number of its consecutive failures, including this one
     * @param pauseSeconds time during which no round may start it
     * @param detail facts for the event, with the cause
     */
    public void requeue(StoredJob job, int failures, double pauseSeconds, Interruption detail) {
        transitions.requeue(job.id(), JobOwnerCommands.slots(job), failures, pauseSeconds, detail);
        trigger.requestRound("job requeued");
    }
}
