package dev.spur.service.job;

import dev.spur.service.performance.SpeedLearning;
import dev.spur.service.round.RoundTrigger;
import dev.spur.service.store.JobChanges;
import dev.spur.service.store.JobState;
import dev.spur.service.store.StoredJob;
import java.util.Map;
import org.springframework.stereotype.Component;

/** Ends jobs and sends them back to the queue. Each method belongs into the transaction that has locked the job. */
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

    /** Ends a job. {@code detail} goes into the event, whose kind is the state. */
    public void end(StoredJob job, JobState state, Map<String, ?> detail) {
        changes.end(job.id(), state, JobLifeCycle.slots(job), detail);
        learning.end(job.id(), job.readSpec());
        trigger.changed("job ended");
    }

    /**
     * Lets a job wait that was to run, and says why.
     *
     * @param failures how often in a row it has failed by itself, this time included
     * @param pauseSeconds time for which no round may start it
     * @param detail facts for the event, with the cause
     */
    public void requeue(StoredJob job, int failures, double pauseSeconds, Map<String, ?> detail) {
        changes.requeue(job.id(), JobLifeCycle.slots(job), failures, pauseSeconds, detail);
        trigger.changed("job requeued");
    }
}
