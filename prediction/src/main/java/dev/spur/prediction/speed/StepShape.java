package dev.spur.prediction.speed;

import dev.spur.model.Checks;
import dev.spur.model.performance.SyncStrategy;

/**
 * In which shape a step runs, all but the accelerator type.
 *
 * @param slots devices used
 * @param nodes nodes they are on, from 1 to {@code slots}
 * @param perSlotBatch samples of one pass on one device, above 0; a mean, so not always whole
 * @param accumulationSteps passes before the one that synchronises, at least 0
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

    /** A step of one pass under AllReduce. */
    public static StepShape allReduce(int slots, int nodes, double perSlotBatch) {
        return new StepShape(slots, nodes, perSlotBatch, 0, 0);
    }

    /** A step over {@code batchSize} samples in all. */
    public static StepShape ofBatch(
            int slots, int nodes, int batchSize, int accumulationSteps, double aggregationSlots) {
        return new StepShape(
                slots,
                nodes,
                (double) batchSize / ((double) slots * (accumulationSteps + 1)),
                accumulationSteps,
                aggregationSlots);
    }

    /** Samples of a step, all devices together. */
    public double batchSize() {
        return slots * perSlotBatch * (accumulationSteps + 1);
    }

    /** Slots on the fullest node if they are spread evenly. */
    public int slotsPerNode() {
        return (slots + nodes - 1) / nodes;
    }

    /** How gradients are combined. */
    public SyncStrategy strategy() {
        return aggregationSlots == 0 ? SyncStrategy.ALL_REDUCE : SyncStrategy.PARAMETER_SERVER;
    }

    /** The same passes on one slot. */
    public StepShape onOneSlot() {
        return new StepShape(1, 1, perSlotBatch, accumulationSteps, aggregationSlots);
    }
}
