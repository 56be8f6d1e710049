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

/** Decision of a policy. Reasons and quality cost more than some decisions, so they are computed only on request. */
public interface Decision {
    /** Returns the allocation of each running job, by job id; absent jobs are pending. */
    Map<String, Allocation> allocations();

    /** Returns the deadline status of every job with a deadline, by job id. */
    Map<String, DeadlineStatus> deadlineStatuses();

    /** Returns the memory for the next round. */
    RoundMemory memory();

    /**
     * Returns the optimality gap: distance from the dual bound relative to the bound, at least 0; empty if the policy
     * proves none.
     */
    OptionalDouble gap();

    /** Returns the decision with reasons and quality. */
    RoundPlan plan();

    /** Returns a decision with an existing plan. */
    static Decision of(RoundPlan plan) {
        return new PlannedDecision(
                plan,
                plan.running().stream()
                        .collect(Collectors.toUnmodifiableMap(PlannedJob::jobId, PlannedJob::allocation)));
    }

    /**
     * Returns a decision without a proof and without deadline guarantees. Its plan has the reasons that hold for any
     * plan, and the bound in which every job has its best candidate.
     *
     * @param allocations allocation by job id of the running jobs
     * @param memory memory of the policy
     */
    static Decision of(RoundProblem problem, Map<String, Allocation> allocations, RoundMemory memory) {
        return new HeuristicDecision(problem, allocations, memory);
    }
}
