package dev.spur.model.job;

import dev.spur.model.Checks;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.performance.SyncStrategy;
import org.jspecify.annotations.Nullable;

/**
 * A shape in which a job is to run for a short while, so that its speed there gets known.
 *
 * @param acceleratorType type of all its slots
 * @param slots slots, at least 1
 * @param nodes nodes that they are on, from 1 to {@code slots}
 * @param strategy how gradients are combined
 * @param aggregationSlots aggregation slots; 0 for AllReduce
 * @param batchSize global batch size; null for whichever is best there
 */
public record ProfilingTarget(
        String acceleratorType,
        int slots,
        int nodes,
        SyncStrategy strategy,
        double aggregationSlots,
        @Nullable Integer batchSize) {
    public ProfilingTarget {
        Checks.named("acceleratorType", acceleratorType);
        Checks.atLeast("slots", slots, 1);
        Checks.require(nodes >= 1 && nodes <= slots, "nodes (%s) must be from 1 to slots (%s)", nodes, slots);
        Checks.atLeast("aggregationSlots", aggregationSlots, 0);
        if (batchSize != null) {
            Checks.atLeast("batchSize", batchSize, 1);
        }
    }

    /** True if a job that runs in {@code configuration} runs as it is to be measured. */
    public boolean matches(Configuration configuration) {
        return hasShapeOf(configuration) && (batchSize == null || batchSize == configuration.batchSize());
    }

    /** True of any batch size of the shape. */
    public boolean hasShapeOf(Configuration configuration) {
        return acceleratorType.equals(configuration.acceleratorType())
                && slots == configuration.slots()
                && nodes == configuration.nodes()
                && strategy == configuration.strategy()
                && aggregationSlots == configuration.aggregationSlots();
    }
}
