package dev.spur.service.store;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.round.ChangeKind;
import org.jspecify.annotations.Nullable;

/**
 * Another allocation of a job.
 *
 * @param jobId the job
 * @param generation number of the new allocation
 * @param before what it held; null if it waited
 * @param after what it holds now; null if it waits
 * @param change how the two differ
 * @param restart true if it starts again: it ran before, and not exactly so
 */
public record JobChange(
        String jobId,
        long generation,
        @Nullable Allocation before,
        @Nullable Allocation after,
        ChangeKind change,
        boolean restart) {
    /** True if it goes on in its generation: only the place of its aggregation is another one. */
    public boolean sameGeneration() {
        return before != null && after != null && after.sameRunAs(before);
    }
}
