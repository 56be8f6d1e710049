package dev.spur.service.plan;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.json.Rfc3339;
import dev.spur.model.round.ChangeKind;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;

/**
 * A job that runs by a published plan.
 *
 * @param jobId the job
 * @param generation number of its allocation; rises only when the allocation changes
 * @param allocation what it holds
 * @param change how that differs from what it held before the round
 * @param goodput effective samples per second there
 * @param utility its part of the plan's worth
 * @param restartPenaltySeconds what a change of its allocation costs it
 * @param message why it runs so, one sentence for people
 */
public record PlanEntry(
        String jobId,
        long generation,

        @JsonSerialize(using = Rfc3339.AllocationSerializer.class)
        @JsonDeserialize(using = Rfc3339.AllocationDeserializer.class)
        Allocation allocation,

        ChangeKind change,
        double goodput,
        double utility,
        double restartPenaltySeconds,
        String message) {
    /** This with other words for people. */
    public PlanEntry withSentence(String other) {
        return new PlanEntry(jobId, generation, allocation, change, goodput, utility, restartPenaltySeconds, other);
    }
}
