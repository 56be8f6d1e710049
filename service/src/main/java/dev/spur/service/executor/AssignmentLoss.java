package dev.spur.service.executor;

import dev.spur.service.assignment.AssignmentChanges;
import dev.spur.service.assignment.AssignmentState;
import dev.spur.service.assignment.StoredAssignment;
import dev.spur.service.job.JobStore;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.stereotype.Component;

/** Marks assignments as lost and requeues their jobs. */
@Component
class AssignmentLoss {
    private final AssignmentChanges changes;
    private final JobStore jobs;
    private final AssignmentCompletion endings;

    AssignmentLoss(AssignmentChanges changes, JobStore jobs, AssignmentCompletion endings) {
        this.changes = changes;
        this.jobs = jobs;
        this.endings = endings;
    }

    /** Marks {@code assignments}, all of one node, as lost. Locks their jobs in the same order as publication. */
    void lose(List<StoredAssignment> assignments, String cause, String node) {
        Set<String> ids = new HashSet<>();
        assignments.forEach(assignment -> ids.add(assignment.key().jobId()));
        jobs.lockActive(ids);
        for (StoredAssignment assignment : assignments) {
            changes.move(assignment.key(), AssignmentState.LOST, cause);
            jobs.find(assignment.key().jobId())
                    .filter(job -> job.generation() == assignment.key().generation() && job.allocation() != null)
                    .ifPresent(job -> endings.lost(job, assignment, cause));
        }
    }
}
