package dev.spur.service.jobs;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.json.Rfc3339;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;

/**
 * Change of the allocation of a job.
 *
 * @param change kind of the change
 * @param planRevision revision of the plan that made it; null if no plan did
 * @param trigger trigger of the round that made it; null if no plan did, or the round was deleted
 * @param before allocation up to the change; null if the job waited
 * @param after allocation from the change on; null if the job waits or has ended
 * @param restart true if the job had run before and starts again
 * @param stallSeconds seconds from a restart to the first progress, or to the end of the allocation without progress;
 *     null while it is unknown
 * @param message why the job has its allocation or waits, by the plan; null if no plan made the change
 */
public record AllocationChange(
        String id,
        Instant at,
        String jobId,
        String jobName,
        String tenant,
        Kind change,
        @Nullable Long planRevision,
        @Nullable String trigger,

        @JsonSerialize(using = Rfc3339.AllocationSerializer.class)
        @JsonDeserialize(using = Rfc3339.AllocationDeserializer.class)
        @Nullable
        Allocation before,

        @JsonSerialize(using = Rfc3339.AllocationSerializer.class)
        @JsonDeserialize(using = Rfc3339.AllocationDeserializer.class)
        @Nullable
        Allocation after,

        boolean restart,
        @Nullable Double stallSeconds,
        @Nullable String message) {
    /** Kinds of changes: those that plans make, the end of a job, and a stop that no plan made. */
    public enum Kind {
        START,
        GROW,
        SHRINK,
        MOVE,
        RECONFIGURE,
        PREEMPT,
        END,
        REQUEUE
    }
}
