package dev.spur.simulator.replay;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;

/** Copies of an allocation with one property changed. */
final class AllocationCopies {
    private AllocationCopies() {}

    static Allocation withBatch(Allocation held, int batch, int accumulationSteps) {
        Configuration same = held.configuration().withBatch(batch, accumulationSteps);
        return new Allocation(same, held.placement(), held.aggregation(), held.since());
    }

    /** Returns {@code held} with the batch size of {@code tuned}. */
    static Allocation withBatchOf(Configuration tuned, Allocation held) {
        return withBatch(held, tuned.batchSize(), tuned.accumulationSteps());
    }

    static Allocation since(double since, Allocation given) {
        return new Allocation(given.configuration(), given.placement(), given.aggregation(), since);
    }
}
