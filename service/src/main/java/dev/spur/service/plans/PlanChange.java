package dev.spur.service.plans;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.json.Rfc3339;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;

/**
 * How one job differs between two plans, and the cost and benefit of the change.
 *
 * @param change how its allocation differs
 * @param before its previous allocation; null if it waited or did not exist
 * @param after its new allocation; null if it waits or has ended
 * @param restartSeconds time that the change costs the job
 * @param lostSamples effective samples that it would have done in that time under the previous plan
 * @param goodputBefore previous effective samples per second; 0 if it waited
 * @param goodputAfter new effective samples per second; 0 if it waits
 * @param objectiveDelta its part of the new objective value minus that of the previous one, each as computed by its own
 *     plan
 * @param message the change in a sentence
 */
public record PlanChange(
        String jobId,
        Kind change,

        @JsonSerialize(using = Rfc3339.AllocationSerializer.class)
        @JsonDeserialize(using = Rfc3339.AllocationDeserializer.class)
        @Nullable
        Allocation before,

        @JsonSerialize(using = Rfc3339.AllocationSerializer.class)
        @JsonDeserialize(using = Rfc3339.AllocationDeserializer.class)
        @Nullable
        Allocation after,

        double restartSeconds,
        double lostSamples,
        double goodputBefore,
        double goodputAfter,
        double objectiveDelta,
        String message) {

    /** A kind of change, or the end of the job. */
    public enum Kind {
        START,
        GROW,
        SHRINK,
        MOVE,
        RECONFIGURE,
        PREEMPT,
        END
    }
}
