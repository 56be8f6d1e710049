package dev.spur.service.rounds;

import dev.spur.model.Checks;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.json.RoundJson;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import java.util.HashMap;
import java.util.Map;

/**
 * Stored content of a plan that waits for approval.
 *
 * @param allocations allocations by job id; start times are ignored
 */
record ProposedPlan(Map<String, Allocation> allocations, Map<String, DeadlineStatus> deadlineStatuses) {
    ProposedPlan {
        allocations = Checks.copy(allocations);
        deadlineStatuses = Checks.copy(deadlineStatuses);
    }

    static ProposedPlan of(RoundPlan plan) {
        Map<String, Allocation> allocations = new HashMap<>();
        for (PlannedJob planned : plan.running()) {
            Allocation given = planned.allocation();
            allocations.put(
                    planned.jobId(), new Allocation(given.configuration(), given.placement(), given.aggregation(), 0));
        }
        return new ProposedPlan(allocations, plan.deadlineStatuses());
    }

    static ProposedPlan read(String json) {
        return RoundJson.mapper().readValue(json, ProposedPlan.class);
    }

    String json() {
        return RoundJson.mapper().writeValueAsString(this);
    }

    /** True if both plans give the same allocations to the same jobs. */
    boolean givesTheSameAs(ProposedPlan other) {
        return allocations.equals(other.allocations);
    }

    /** The allocations for the jobs of {@code problem}. An unchanged allocation keeps its start time. */
    Map<String, Allocation> within(RoundProblem problem) {
        Map<String, Allocation> given = new HashMap<>();
        for (Job job : problem.jobs()) {
            Allocation own = allocations.get(job.id());
            if (own != null) {
                given.put(job.id(), job.changeTo(own).adopt(job.allocation(), own, problem.now()));
            }
        }
        return given;
    }
}
