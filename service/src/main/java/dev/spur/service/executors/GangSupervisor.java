package dev.spur.service.executors;

import dev.spur.model.Seconds;
import dev.spur.service.jobs.AssignmentState;
import dev.spur.service.jobs.AssignmentStore;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.jobs.RankChangeStore;
import dev.spur.service.jobs.StoredAssignment;
import dev.spur.service.jobs.StoredJob;
import java.util.List;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** Offers and withdraws the assignments of gangs, and ends gangs that do not become complete in time. */
@Component
class GangSupervisor {
    private final AssignmentStore assignments;
    private final RankChangeStore rankChanges;
    private final GangStore gangs;
    private final JobStore jobs;
    private final AssignmentCompletion endings;
    private final ExecutorProperties properties;
    private final TransactionTemplate transaction;

    GangSupervisor(
            AssignmentStore assignments,
            RankChangeStore rankChanges,
            GangStore gangs,
            JobStore jobs,
            AssignmentCompletion endings,
            ExecutorProperties properties,
            TransactionTemplate transaction) {
        this.assignments = assignments;
        this.rankChanges = rankChanges;
        this.gangs = gangs;
        this.jobs = jobs;
        this.endings = endings;
        this.properties = properties;
        this.transaction = transaction;
    }

    /** Offers the assignments of allocations that were not offered yet. */
    void offer() {
        transaction.executeWithoutResult(status -> assignments.offer(assignments.unofferedAllocations()));
    }

    /** Ends assignments that were never started and are no longer part of the allocation of their job. */
    void withdraw() {
        gangs.withdraw();
    }

    /** Ends the gangs that have waited longer than the timeout. */
    void endLate() {
        gangs.stampReady();
        for (GangStore.Gang gang : gangs.lateGangs(Seconds.of(properties.gangTimeout()))) {
            transaction.executeWithoutResult(status -> jobs.lock(gang.jobId())
                    .filter(job -> job.generation() == gang.generation() && job.allocation() != null)
                    .ifPresent(job -> endLate(job, assignments.gang(gang.jobId(), gang.generation()))));
        }
    }

    /** Lets ranks join whose devices have become free, and ends changes of ranks that take longer than the timeout. */
    void rescale() {
        transaction.executeWithoutResult(status -> rankChanges.grant());
        for (GangStore.Gang gang : gangs.lateRescales(Seconds.of(properties.rescaleTimeout()))) {
            transaction.executeWithoutResult(status -> jobs.lock(gang.jobId())
                    .filter(job -> job.generation() == gang.generation() && job.allocation() != null)
                    .ifPresent(endings::rescaleLate));
        }
    }

    /** Ends warm-ups that take longer than the timeout, so that the previous generation stops. */
    void endLateWarmUps() {
        transaction.executeWithoutResult(status -> assignments.endLateWarmUps(Seconds.of(properties.warmUpTimeout())));
    }

    /** The missing members are those that have not accepted, or, if all have, those that have not started. */
    private void endLate(StoredJob job, List<StoredAssignment> gang) {
        List<String> silent = nodesIn(AssignmentState.OFFERED, gang);
        List<String> missing = silent.isEmpty() ? nodesIn(AssignmentState.ACCEPTED, gang) : silent;
        if (!missing.isEmpty()) {
            endings.handleLateMembers(job, missing);
        }
    }

    private static List<String> nodesIn(AssignmentState state, List<StoredAssignment> gang) {
        return gang.stream()
                .filter(member -> member.state() == state)
                .map(member -> member.key().node())
                .toList();
    }
}
