package dev.spur.service.executor;

import dev.spur.model.Seconds;
import dev.spur.service.assignment.AssignmentChanges;
import dev.spur.service.assignment.AssignmentKey;
import dev.spur.service.assignment.AssignmentState;
import dev.spur.service.assignment.AssignmentStore;
import dev.spur.service.assignment.StoredAssignment;
import dev.spur.service.assignment.StoredAssignment.DesiredRunState;
import dev.spur.service.executor.TransitionService.Transition;
import dev.spur.service.job.Command;
import dev.spur.service.job.JobChanges;
import dev.spur.service.job.JobState;
import dev.spur.service.job.JobStore;
import dev.spur.service.job.StoredJob;
import dev.spur.service.job.lifecycle.JobTermination;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Applies the end of an assignment to its job. If one member of a gang ends unsuccessfully, the job loses its
 * allocation, and the other members are stopped. Call each method in the transaction that has locked the job.
 */
@Component
class AssignmentCompletion {
    private final AssignmentStore assignments;
    private final AssignmentChanges assignmentChanges;
    private final JobStore jobStore;
    private final JobChanges jobs;
    private final JobTermination ending;
    private final ExecutorProperties properties;

    AssignmentCompletion(
            AssignmentStore assignments,
            AssignmentChanges assignmentChanges,
            JobStore jobStore,
            JobChanges jobs,
            JobTermination ending,
            ExecutorProperties properties) {
        this.assignments = assignments;
        this.assignmentChanges = assignmentChanges;
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
        boolean done = job.state() == JobState.COMPLETING && last.state() == AssignmentState.STOPPED;
        if (done || (last.endedWell() && before.desired() != DesiredRunState.HELD)) {
            return !endIfAllAreDone(job, before);
        }
        if (before.desired() == DesiredRunState.HELD) {
            ending.requeue(job, jobs.failures(job.id()), 0, detail("HELD", before, last));
        } else if (last.requested()) {
            requeue(job, Seconds.of(properties.retryBackoff()), detail("STOPPED_BY_EXECUTOR", before, last));
        } else {
            handleFailure(job, before, last);
        }
        return false;
    }

    private boolean endIfAllAreDone(StoredJob job, StoredAssignment before) {
        boolean all = (before.rescale() == null && job.isOnOneNode())
                || assignments.gang(before.key().jobId(), before.key().generation()).stream()
                        .allMatch(member -> member.state() == AssignmentState.STOPPED || member.isOutsideTraining());
        if (all) {
            ending.end(job, JobState.DONE, Map.of("doneSamples", job.work().done()));
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
     * @param detail details of the event; changed in place
     */
    void handleFailure(StoredJob job, boolean ranLong, Map<String, Object> detail) {
        String command = job.command();
        int max = command == null ? 0 : Command.read(command).maxRestarts();
        int failures = 1 + (ranLong ? 0 : jobs.failures(job.id()));
        detail.put("cause", failures > max ? "RESTARTS_EXHAUSTED" : "FAILED");
        detail.put("failures", failures);
        detail.put("maxRestarts", max);
        if (failures > max) {
            ending.end(job, JobState.FAILED, detail);
        } else {
            double pause = properties.backoffSeconds(failures);
            detail.put("pauseSeconds", pause);
            ending.requeue(job, failures, pause, detail);
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
            assignmentChanges.move(key, AssignmentState.LOST, cause);
            jobStore.find(key.jobId())
                    .filter(job -> job.generation() == key.generation() && job.allocation() != null)
                    .filter(job -> !hasLeft(assignment))
                    .ifPresent(job ->
                            ending.requeue(job, jobs.failures(job.id()), 0, Map.of("cause", cause, "node", node)));
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
        requeue(
                job,
                Seconds.of(properties.gangTimeout()),
                new LinkedHashMap<>(Map.of("cause", "GANG_TIMEOUT", "missing", missing)));
    }

    /**
     * Handles a change of the ranks that is not complete in time. The job restarts from its checkpoint, and all its
     * later changes are restarts.
     */
    void rescaleLate(StoredJob job) {
        jobs.rescaleFailed(job.id());
        ending.requeue(job, jobs.failures(job.id()), 0, Map.of("cause", "RESCALE_TIMEOUT"));
    }

    private void requeue(StoredJob job, double pause, Map<String, Object> detail) {
        detail.put("pauseSeconds", pause);
        ending.requeue(job, jobs.failures(job.id()), pause, detail);
    }

    private static Map<String, Object> detail(String cause, StoredAssignment before, Transition last) {
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("cause", cause);
        detail.put("generation", before.key().generation());
        detail.put("node", before.key().node());
        put(detail, "exitCode", last.exitCode());
        put(detail, "detail", last.detail());
        return detail;
    }

    private static void put(Map<String, Object> detail, String name, @Nullable Object value) {
        if (value != null) {
            detail.put(name, value);
        }
    }
}
