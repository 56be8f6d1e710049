package dev.spur.service.plan;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.json.Rfc3339;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;

/**
 * How one job differs between two plans, and what that costs and gains.
 *
 * @param jobId the job
 * @param change how its allocation differs
 * @param before what it held; null if it waited or did not exist
 * @param after what it holds; null if it waits or has ended
 * @param restartSeconds time the change costs the job
 * @param lostSamples effective samples it would have done in that time under the plan before
 * @param goodputBefore effective samples per second before; 0 if it waited
 * @param goodputAfter effective samples per second after; 0 if it waits
 * @param objectiveDelta its part of the worth after, less the one before, each as its own plan counts it
 * @param message the change in words
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
