package dev.spur.model.round;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.Checks;
import dev.spur.model.job.DeadlineStatus;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a round decides.
 *
 * @param running the jobs that run, by id
 * @param waiting the jobs that wait, by position
 * @param deadlineStatuses what this round says of deadlines, by job id: every job that has one
 * @param quality how good the plan is known to be
 * @param stats what the solve did
 * @param memory what the next round should remember
 * @param preparations which data is prepared where; null if there is none to prepare
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

    /** A plan of a round in which no data is prepared. */
    public RoundPlan(
            List<PlannedJob> running,
            List<PendingJob> waiting,
            Map<String, DeadlineStatus> deadlineStatuses,
            SolutionQuality quality,
            SolverStats stats,
            RoundMemory memory) {
        this(running, waiting, deadlineStatuses, quality, stats, memory, null);
    }

    /** This plan with preparations. */
    public RoundPlan withPreparations(PreparationPlan other) {
        return new RoundPlan(running, waiting, deadlineStatuses, quality, stats, memory, other);
    }
}
