package dev.spur.service.jobs.lifecycle;

import dev.spur.service.database.RoundTrigger;
import dev.spur.service.jobs.JobEventDetail;
import dev.spur.service.jobs.JobEventDetail.Interruption;
import dev.spur.service.jobs.JobKind;
import dev.spur.service.jobs.JobState;
import dev.spur.service.jobs.JobTransitionStore;
import dev.spur.service.jobs.StoredJob;
import dev.spur.service.jobs.learning.SpeedLearning;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/** Ends jobs and requeues them. Each method must run in the transaction that has locked the job. */
@Component
public class JobTermination {
    private final JobTransitionStore transitions;
    private final SpeedLearning learning;
    private final Dependencies dependencies;
    private final RoundTrigger trigger;

    JobTermination(
            JobTransitionStore transitions, SpeedLearning learning, Dependencies dependencies, RoundTrigger trigger) {
        this.transitions = transitions;
        this.dependencies = dependencies;
        this.learning = learning;
        this.trigger = trigger;
    }

    /**
     * Ends a job, and meets or cancels what depends on it.
     *
     * @param detail detail of the event
     */
    public void end(StoredJob job, JobState state, JobEventDetail detail) {
        transitions.end(job.id(), state, detail);
        boolean measure = job.kind() == JobKind.TRAINING && job.trainingSpec().family() != null;
        complete(List.of(job.id()), job.arrayId() != null, measure, state);
    }

    /** Completes the end of jobs of arrays that a statement has ended with their events. */
    void complete(List<String> ended, JobState state) {
        complete(ended, true, true, state);
    }

    private void complete(List<String> ended, boolean inArrays, boolean measure, JobState state) {
        List<String> canceled = dependencies.end(ended, inArrays, state);
        if (measure || !canceled.isEmpty()) {
            learning.end(Stream.concat(ended.stream(), canceled.stream()).toList());
        }
        trigger.requestRound("jobs ended");
    }

    /**
     * Returns a job to the queue and records the cause.
     *
     * @param failures number of its consecutive failures, including this one
     * @param pauseSeconds time during which no round may start it
     * @param detail facts for the event, with the cause
     */
    public void requeue(StoredJob job, int failures, double pauseSeconds, Interruption detail) {
        transitions.requeue(job.id(), failures, pauseSeconds, detail);
        trigger.requestRound("job requeued");
    }
}
