package dev.spur.model.job;

import dev.spur.model.allocation.Allocation;
import java.util.HashSet;
import org.jspecify.annotations.Nullable;

/** The way in which a training adopts an allocation. It determines the stall. */
public enum ChangeMechanism {
    /** The training already has the allocation; at most its host grant or its aggregation shares differ. */
    UNCHANGED,
    /** All processes continue and read the new batch size between two steps. */
    RECONFIGURE,
    /** Processes start or end on some slots; the others continue, and send their state to those that join. */
    RESCALE,
    /**
     * The processes start on slots that the training does not hold, while it continues. Then it writes a checkpoint and
     * stops, and they load it.
     */
    MIGRATE,
    /** The processes start on the new slots and load the checkpoint, if there is one. */
    RESTART;

    /** Returns true if all processes continue to run, and none is added. */
    public boolean keepsProcesses() {
        return this == UNCHANGED || this == RECONFIGURE;
    }

    /** Returns true if the training continues without its checkpoint, so that its generation stays. */
    public boolean keepsGeneration() {
        return this != MIGRATE && this != RESTART;
    }

    /**
     * Returns the allocation of a job that adopts {@code allocation}. Processes that continue keep their ranks; all of
     * them together keep their start.
     *
     * @param heldAllocation the current allocation; null if the job waits
     * @param now start of new processes and of changed ranks, seconds on the clock of {@code allocation}
     */
    public Allocation adopt(@Nullable Allocation heldAllocation, Allocation allocation, double now) {
        if (heldAllocation == null || !keepsGeneration()) {
            return new Allocation(allocation.configuration(), allocation.placement(), allocation.aggregation(), now);
        }
        if (this == RESCALE) {
            Allocation ranked = allocation.inRankOrderOf(heldAllocation);
            return new Allocation(ranked.configuration(), ranked.placement(), ranked.aggregation(), now);
        }
        boolean sameAggregation =
                new HashSet<>(allocation.aggregation()).equals(new HashSet<>(heldAllocation.aggregation()));
        return this == UNCHANGED
                        && sameAggregation
                        && allocation.configuration().equals(heldAllocation.configuration())
                ? heldAllocation
                : new Allocation(
                        allocation.configuration(),
                        heldAllocation.placement(),
                        allocation.aggregation(),
                        heldAllocation.since());
    }
}
