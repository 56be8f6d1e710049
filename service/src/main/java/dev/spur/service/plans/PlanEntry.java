package dev.spur.service.plans;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.json.Rfc3339;
import dev.spur.model.round.ChangeKind;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;

/**
 * A job that a published plan runs.
 *
 * @param generation generation of its allocation, which increases only when the allocation changes
 * @param restarts starts of the job after its first one, up to that of its allocation
 * @param change difference to its allocation before the round
 * @param goodput effective samples per second in this allocation
 * @param utility its part of the objective value
 * @param restartPenaltySeconds time that a change of its allocation costs it
 * @param message why it runs in this allocation, in one sentence
 */
public record PlanEntry(
        String jobId,
        long generation,
        int restarts,

        @JsonSerialize(using = Rfc3339.AllocationSerializer.class)
        @JsonDeserialize(using = Rfc3339.AllocationDeserializer.class)
        Allocation allocation,

        ChangeKind change,
        double goodput,
        double utility,
        double restartPenaltySeconds,
        String message) {
    /** This entry with another message. */
    public PlanEntry withMessage(String other) {
        return new PlanEntry(
                jobId, generation, restarts, allocation, change, goodput, utility, restartPenaltySeconds, other);
    }
}
