package dev.spur.model.job;

import dev.spur.model.Checks;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.performance.SyncStrategy;
import org.jspecify.annotations.Nullable;

/**
 * A configuration in which a job is to run for a short time to measure its speed.
 *
 * @param acceleratorType type of all its slots
 * @param slots slots, at least 1
 * @param nodes number of nodes, from 1 to {@code slots}
 * @param strategy how gradients are synchronized
 * @param aggregationSlots aggregation slots; 0 for AllReduce
 * @param batchSize global batch size; null for the best one of the configuration
 */
public record ProfilingTarget(
        String acceleratorType,
        int slots,
        int nodes,
        SyncStrategy strategy,
        double aggregationSlots,
        @Nullable Integer batchSize) {
    public ProfilingTarget {
        Checks.nonBlank("acceleratorType", acceleratorType);
        Checks.atLeast("slots", slots, 1);
        Checks.require(nodes >= 1 && nodes <= slots, "nodes (%s) must be from 1 to slots (%s)", nodes, slots);
        Checks.atLeast("aggregationSlots", aggregationSlots, 0);
        if (batchSize != null) {
            Checks.atLeast("batchSize", batchSize, 1);
        }
    }

    /** Returns true if {@code configuration} is the one to measure. */
    public boolean matches(Configuration configuration) {
        return hasShapeOf(configuration) && (batchSize == null || batchSize == configuration.batchSize());
    }

    /** Returns true if {@code configuration} equals the target in everything but the batch size. */
    public boolean hasShapeOf(Configuration configuration) {
        return acceleratorType.equals(configuration.acceleratorType())
                && slots == configuration.slots()
                && nodes == configuration.nodes()
                && strategy == configuration.strategy()
                && aggregationSlots == configuration.aggregationSlots();
    }
}
