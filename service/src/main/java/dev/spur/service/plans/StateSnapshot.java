package dev.spur.service.plans;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.whatif.WithheldJobs;
import dev.spur.service.cluster.ClusterCalendar;
import dev.spur.service.cluster.Settings;
import dev.spur.service.jobs.StoredPreparation;
import dev.spur.simulator.eta.BlockedJob;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Live state at one time.
 *
 * @param problem input of a round
 * @param held held jobs, in the form of the input
 * @param blockedJobs held jobs that wait for nothing but a time or their dependencies, by job id
 * @param stamps version of each job of the input, by job id
 * @param preparations all waiting and running preparations, also those that rounds must not start
 * @param calendar reservations and maintenance windows with the rules by which they repeat
 * @param settings current settings
 */
public record StateSnapshot(
        RoundProblem problem,
        List<Job> held,
        Map<String, BlockedJob> blockedJobs,
        Map<String, JobVersion> stamps,
        List<StoredPreparation> preparations,
        ClusterCalendar calendar,
        Settings settings) {
    public StateSnapshot {
        held = List.copyOf(held);
        blockedJobs = Map.copyOf(blockedJobs);
        stamps = Map.copyOf(stamps);
        preparations = List.copyOf(preparations);
    }

    /** Returns the jobs and preparations that rounds must not start, but that a what-if change may release. */
    public WithheldJobs heldBack() {
        return new WithheldJobs(
                held,
                preparations.stream()
                        .filter(StoredPreparation::heldBack)
                        .map(preparation -> preparation.afterRelease(problem.now()))
                        .toList());
    }

    /**
     * State of a job in a snapshot. Publication compares it with the current state.
     *
     * @param generation number of the allocation
     * @param specVersion number of the specification
     * @param allocation allocation in the row, also on lost nodes; null if there is none
     */
    public record JobVersion(
            long generation, long specVersion, @Nullable Allocation allocation) {}
}
