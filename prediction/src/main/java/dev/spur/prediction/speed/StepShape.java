package dev.spur.prediction.speed;

import dev.spur.model.Checks;
import dev.spur.model.performance.SyncStrategy;

/**
 * The shape of a step, without the accelerator type.
 *
 * @param slots devices used
 * @param nodes number of nodes, from 1 to {@code slots}
 * @param perSlotBatch samples of one pass on one device, above 0; a mean, which need not be an integer
 * @param accumulationSteps passes before the one that synchronizes, at least 0
 * @param aggregationSlots aggregation slots used; 0 for AllReduce
 */
public record StepShape(int slots, int nodes, double perSlotBatch, int accumulationSteps, double aggregationSlots) {
    public StepShape {
        Checks.atLeast("slots", slots, 1);
        Checks.require(nodes >= 1 && nodes <= slots, "nodes (%s) must be from 1 to slots (%s)", nodes, slots);
        Checks.positive("perSlotBatch", perSlotBatch);
        Checks.atLeast("accumulationSteps", accumulationSteps, 0);
        Checks.atLeast("aggregationSlots", aggregationSlots, 0);
    }

    /** Returns a step of one pass under AllReduce. */
    public static StepShape allReduce(int slots, int nodes, double perSlotBatch) {
        return new StepShape(slots, nodes, perSlotBatch, 0, 0);
    }

    /** Returns a step over a global batch of {@code batchSize} samples. */
    public static StepShape ofBatch(
            int slots, int nodes, int batchSize, int accumulationSteps, double aggregationSlots) {
        return new StepShape(
                slots,
                nodes,
                (double) batchSize / ((double) slots * (accumulationSteps + 1)),
                accumulationSteps,
                aggregationSlots);
    }

    /** Returns the samples of a step on all devices together. */
    public double batchSize() {
        return slots * perSlotBatch * (accumulationSteps + 1);
    }

    /** Returns the slots on the fullest node if they are spread evenly. */
    public int slotsPerNode() {
        return (slots + nodes - 1) / nodes;
    }

    /** Returns the synchronization strategy. */
    public SyncStrategy strategy() {
        return aggregationSlots == 0 ? SyncStrategy.ALL_REDUCE : SyncStrategy.PARAMETER_SERVER;
    }

    /** Returns the same passes on one slot. */
    public StepShape onOneSlot() {
        return new StepShape(1, 1, perSlotBatch, accumulationSteps, aggregationSlots);
    }
}
