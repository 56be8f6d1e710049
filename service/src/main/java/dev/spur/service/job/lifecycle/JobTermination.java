package dev.spur.service.job.lifecycle;

import dev.spur.service.job.JobChanges;
import dev.spur.service.job.JobKind;
import dev.spur.service.job.JobState;
import dev.spur.service.job.StoredJob;
import dev.spur.service.performance.SpeedLearning;
import dev.spur.service.trigger.RoundTrigger;
import java.util.Map;
import org.springframework.stereotype.Component;

/** Ends jobs and requeues them. Each method must run in the transaction that has locked the job. */
@Component
public class JobTermination {
    private final JobChanges changes;
    private final SpeedLearning learning;
    private final RoundTrigger trigger;

    JobTermination(JobChanges changes, SpeedLearning learning, RoundTrigger trigger) {
        this.changes = changes;
        this.learning = learning;
        this.trigger = trigger;
    }

    /**
     * Ends a job. {@code detail} becomes part of the event, whose kind is the state. Jobs no longer wait for a data
     * preparation that is done.
     */
    public void end(StoredJob job, JobState state, Map<String, ?> detail) {
        changes.end(job.id(), state, JobLifeCycle.slots(job), detail);
        if (job.kind() == JobKind.TRAINING) {
            learning.end(job.id(), job.readSpec());
        } else if (state == JobState.DONE) {
            changes.satisfyDependencies(job.id());
        }
        trigger.requestRound("job ended");
    }

    /**
     * Returns a job to the queue and records the cause.
     *
     * @param failures number of its consecutive failures, including this one
     * @param pauseSeconds time during which no round may start it
     * @param detail facts for the event, with the cause
     */
    public void requeue(StoredJob job, int failures, double pauseSeconds, Map<String, ?> detail) {
        changes.requeue(job.id(), JobLifeCycle.slots(job), failures, pauseSeconds, detail);
        trigger.requestRound("job requeued");
    }
}
