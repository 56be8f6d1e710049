package dev.spur.model.round;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.Checks;
import dev.spur.model.job.DeadlineStatus;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The plan of a round.
 *
 * @param running the running jobs, by id
 * @param waiting the waiting jobs, by queue position
 * @param deadlineStatuses deadline status by job id, for every job with a deadline
 * @param quality solution quality of the plan
 * @param stats solver statistics
 * @param memory state for the next round
 * @param preparations plan of the preparations; null if there are none
 */
public record RoundPlan(
        List<PlannedJob> running,
        List<PendingJob> waiting,
        Map<String, DeadlineStatus> deadlineStatuses,
        SolutionQuality quality,
        SolverStats stats,
        RoundMemory memory,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable PreparationPlan preparations) {
    @JsonCreator
    public RoundPlan {
        running = Checks.copy(running);
        waiting = Checks.copy(waiting);
        deadlineStatuses = Checks.copy(deadlineStatuses);
    }

    /** A plan without preparations. */
    public RoundPlan(
            List<PlannedJob> runningJobs,
            List<PendingJob> pendingJobs,
            Map<String, DeadlineStatus> deadlineStatuses,
            SolutionQuality quality,
            SolverStats stats,
            RoundMemory memory) {
        this(runningJobs, pendingJobs, deadlineStatuses, quality, stats, memory, null);
    }

    /** Returns this plan with preparations. */
    public RoundPlan withPreparations(PreparationPlan other) {
        return new RoundPlan(running, waiting, deadlineStatuses, quality, stats, memory, other);
    }
}
