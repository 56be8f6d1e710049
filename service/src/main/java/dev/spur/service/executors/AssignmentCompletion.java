package dev.spur.service.executors;

import dev.spur.model.Seconds;
import dev.spur.service.executors.TransitionService.Transition;
import dev.spur.service.jobs.AssignmentKey;
import dev.spur.service.jobs.AssignmentState;
import dev.spur.service.jobs.AssignmentStore;
import dev.spur.service.jobs.AssignmentTransitionStore;
import dev.spur.service.jobs.Command;
import dev.spur.service.jobs.JobEventDetail;
import dev.spur.service.jobs.JobEventDetail.Interruption;
import dev.spur.service.jobs.JobState;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.jobs.JobTransitionStore;
import dev.spur.service.jobs.StoredAssignment;
import dev.spur.service.jobs.StoredAssignment.DesiredRunState;
import dev.spur.service.jobs.StoredJob;
import dev.spur.service.jobs.lifecycle.JobTermination;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/**
 * Applies the end of an assignment to its job. If one member of a gang ends unsuccessfully, the job loses its
 * allocation, and the other members are stopped. Call each method in the transaction that has locked the job.
 */
@Component
class AssignmentCompletion {
    private final AssignmentStore assignments;
    private final AssignmentTransitionStore assignmentTransitions;
    private final JobStore jobStore;
    private final JobTransitionStore jobs;
    private final JobTermination ending;
    private final ExecutorProperties properties;

    AssignmentCompletion(
            AssignmentStore assignments,
            AssignmentTransitionStore assignmentTransitions,
            JobStore jobStore,
            JobTransitionStore jobs,
            JobTermination ending,
            ExecutorProperties properties) {
        this.assignments = assignments;
        this.assignmentTransitions = assignmentTransitions;
        this.jobStore = jobStore;
        this.jobs = jobs;
        this.ending = ending;
        this.properties = properties;
    }

    /**
     * Handles a member of the current gang that has released its devices.
     *
     * @param before the assignment before the transition
     * @param last the final transition, already stored
     * @return true if the job keeps its allocation, because other members still run
     */
    boolean handleRelease(StoredJob job, StoredAssignment before, Transition last) {
        if (hasLeft(before)) {
            return true;
        }
        boolean completes = job.state() == JobState.COMPLETING;
        boolean done = completes && last.state() == AssignmentState.STOPPED && hasCompleted(job, last);
        if (done || (last.endedWell() && before.desired() != DesiredRunState.HELD)) {
            return !endIfAllAreDone(job, before);
        }
        if (before.desired() == DesiredRunState.HELD) {
            ending.requeue(job, jobs.failures(job.id()), 0, detail("HELD", before, last));
        } else if (last.requested() && !completes) {
            requeue(job, Seconds.of(properties.retryBackoff()), detail("STOPPED_BY_EXECUTOR", before, last));
        } else {
            handleFailure(job, before, last);
        }
        return false;
    }

    /**
     * Returns whether a stop completes the job. An error of its program means that the last checkpoint is missing,
     * unless the job has reported it. A launcher such as torchrun ends with an error after each stop.
     */
    private boolean hasCompleted(StoredJob job, Transition last) {
        Command command = job.command();
        boolean isLauncher = command != null && command.launch() == Command.Launch.PER_NODE;
        return !last.exitedWithError() || jobs.isSaved(job.id(), isLauncher);
    }

    private boolean endIfAllAreDone(StoredJob job, StoredAssignment before) {
        boolean all = (before.rescale() == null && job.isOnOneNode())
                || assignments.gang(before.key().jobId(), before.key().generation()).stream()
                        .allMatch(member -> member.state() == AssignmentState.STOPPED || member.isOutsideTraining());
        if (all) {
            ending.end(
                    job, JobState.DONE, new JobEventDetail.Completion(job.work().done()));
        }
        return all;
    }

    private void handleFailure(StoredJob job, StoredAssignment before, Transition last) {
        if (before.isRescaling()) {
            jobs.rescaleFailed(job.id());
        }
        boolean ranLong = before.state() == AssignmentState.RUNNING
                && before.ageSeconds() >= Seconds.of(properties.stableAfter());
        handleFailure(job, ranLong, detail("FAILED", before, last));
    }

    /**
     * Handles a failure of the job itself. It restarts at most {@code maxRestarts} times; without a command, it does
     * not restart.
     *
     * @param ranLong true if it has run for so long that earlier failures do not count
     * @param detail cause of the failure
     */
    void handleFailure(StoredJob job, boolean ranLong, Interruption detail) {
        Command command = job.command();
        int max = command == null ? 0 : command.maxRestarts();
        int failures = 1 + (ranLong ? 0 : jobs.failures(job.id()));
        if (failures > max) {
            ending.end(job, JobState.FAILED, detail.afterFailures("RESTARTS_EXHAUSTED", failures, max));
        } else {
            double pause = properties.backoffSeconds(failures);
            ending.requeue(
                    job,
                    failures,
                    pause,
                    detail.afterFailures("FAILED", failures, max).withPause(pause));
        }
    }

    /**
     * Marks {@code lost}, all of one node, as lost, and requeues their jobs without a failure. Locks their jobs in the
     * same order as publication.
     */
    void lose(List<StoredAssignment> lost, String cause, String node) {
        jobStore.lockActive(
                lost.stream().map(assignment -> assignment.key().jobId()).collect(Collectors.toSet()));
        for (StoredAssignment assignment : lost) {
            AssignmentKey key = assignment.key();
            assignmentTransitions.move(key, AssignmentState.LOST, cause);
            jobStore.find(key.jobId())
                    .filter(job -> job.generation() == key.generation() && job.allocation() != null)
                    .filter(job -> !hasLeft(assignment))
                    .ifPresent(
                            job -> ending.requeue(job, jobs.failures(job.id()), 0, Interruption.ofNode(cause, node)));
        }
    }

    /** Returns true if the training continues without the ranks of the assignment, however these end. */
    private static boolean hasLeft(StoredAssignment before) {
        return before.plannedDevices().isEmpty() && before.isOutsideTraining();
    }

    /**
     * Handles a gang whose members have not accepted in time. The backoff prevents an immediate retry on the same
     * nodes.
     */
    void handleLateMembers(StoredJob job, List<String> missing) {
        requeue(job, Seconds.of(properties.gangTimeout()), Interruption.ofMissing("GANG_TIMEOUT", missing));
    }

    /**
     * Handles a change of the ranks that is not complete in time. The job restarts from its checkpoint, and all its
     * later changes are restarts.
     */
    void rescaleLate(StoredJob job) {
        jobs.rescaleFailed(job.id());
        ending.requeue(job, jobs.failures(job.id()), 0, Interruption.of("RESCALE_TIMEOUT"));
    }

    private void requeue(StoredJob job, double pause, Interruption detail) {
        ending.requeue(job, jobs.failures(job.id()), pause, detail.withPause(pause));
    }

    private static Interruption detail(String cause, StoredAssignment before, Transition last) {
        return Interruption.ofProcess(
                cause, before.key().generation(), before.key().node(), last.exitCode(), last.detail());
    }
}
