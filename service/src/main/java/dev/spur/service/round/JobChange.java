package dev.spur.service.round;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.round.ChangeKind;
import org.jspecify.annotations.Nullable;

/**
 * Change of the allocation of a job.
 *
 * @param generation number of the new allocation
 * @param before previous allocation; null if the job waited
 * @param after new allocation; null if the job waits now
 * @param change kind of the change
 * @param mechanism how the training adopts it
 * @param restart true if the job starts again: it ran before, and with a different allocation
 */
record JobChange(
        String jobId,
        long generation,
        @Nullable Allocation before,
        @Nullable Allocation after,
        ChangeKind change,
        ChangeMechanism mechanism,
        boolean restart) {
    /** True if all processes continue: only the batch size or the aggregation changes. */
    boolean keepsProcesses() {
        return mechanism.keepsProcesses();
    }

    /** True if ranks join or leave while the others continue. */
    boolean rescales() {
        return mechanism == ChangeMechanism.RESCALE;
    }
}
