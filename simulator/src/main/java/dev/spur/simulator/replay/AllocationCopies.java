package dev.spur.simulator.replay;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.JobSpec;
import dev.spur.model.utility.Goodput;

/** Copies of an allocation with one property changed. */
final class AllocationCopies {
    private AllocationCopies() {}

    static Allocation withBatch(Allocation heldAllocation, int batch, int accumulationSteps) {
        Configuration same = heldAllocation.configuration().withBatch(batch, accumulationSteps);
        return new Allocation(same, heldAllocation.placement(), heldAllocation.aggregation(), heldAllocation.since());
    }

    /** Returns {@code heldAllocation} with the batch size of {@code tunedConfiguration}. */
    static Allocation withBatchOf(Configuration tunedConfiguration, Allocation heldAllocation) {
        return withBatch(heldAllocation, tunedConfiguration.batchSize(), tunedConfiguration.accumulationSteps());
    }

    /**
     * Returns {@code heldAllocation} with the batch size of maximum goodput by {@code spec}; the same if that is it.
     */
    static Allocation withBestBatch(Allocation heldAllocation, JobSpec spec) {
        Configuration heldConfiguration = heldAllocation.configuration();
        int batch = Goodput.bestBatch(
                        spec,
                        heldConfiguration.acceleratorType(),
                        heldConfiguration.slots(),
                        heldConfiguration.nodes(),
                        heldConfiguration.strategy(),
                        heldConfiguration.aggregationSlots())
                .orElse(heldConfiguration.batchSize());
        if (batch == heldConfiguration.batchSize()) {
            return heldAllocation;
        }
        int steps =
                spec.batch().accumulationSteps(batch, heldConfiguration.acceleratorType(), heldConfiguration.slots());
        return withBatch(heldAllocation, batch, steps);
    }

    static Allocation since(double since, Allocation allocation) {
        return new Allocation(allocation.configuration(), allocation.placement(), allocation.aggregation(), since);
    }
}
