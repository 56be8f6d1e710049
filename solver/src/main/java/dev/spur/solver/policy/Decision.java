package dev.spur.solver.policy;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * What a policy has decided. Reasons and proof cost more than some decisions, so they are written only when asked for.
 */
public interface Decision {
    /** What each job that runs holds, by job id; jobs that are left out wait. */
    Map<String, Allocation> allocations();

    /** What this round says of deadlines, by job id: every job that has one. */
    Map<String, DeadlineStatus> deadlineStatuses();

    /** What the next round should remember. */
    RoundMemory memory();

    /** The proved distance from the best plan relative to the bound, at least 0; empty if the policy proves none. */
    OptionalDouble gap();

    /** The decision with reasons and proof. */
    RoundPlan plan();

    /** A decision whose plan is already written. */
    static Decision of(RoundPlan plan) {
        return new PlannedDecision(
                plan,
                plan.running().stream()
                        .collect(Collectors.toUnmodifiableMap(PlannedJob::jobId, PlannedJob::allocation)));
    }

    /**
     * A decision that proves nothing and promises no deadline. Its plan gives the reasons that hold for any plan, and
     * the bound in which every job has its best candidate.
     *
     * @param allocations what runs, by job id
     * @param memory what the policy remembers
     */
    static Decision of(RoundProblem problem, Map<String, Allocation> allocations, RoundMemory memory) {
        return new HeuristicDecision(problem, allocations, memory);
    }
}
