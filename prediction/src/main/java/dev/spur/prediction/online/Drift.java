package dev.spur.prediction.online;

import dev.spur.model.Checks;
import org.jspecify.annotations.Nullable;

/**
 * A change of a job's speed that is too large and too persistent for noise.
 *
 * @param dimension dimension of the change
 * @param acceleratorType the type, if only one type is affected; null otherwise
 * @param factor seconds of a step now relative to the predicted ones, above 0
 */
public record Drift(Dimension dimension, @Nullable String acceleratorType, double factor) {
    /** The dimension of a change. */
    public enum Dimension {
        /** All shapes on all reported types. */
        EVERYWHERE,
        /** All shapes on one type, but not on others. */
        TYPE,
        /** Grows with the number of slots. */
        SLOTS,
        /** Grows or decreases with the batch per slot. */
        BATCH,
        /** Grows or decreases with the number of aggregation slots. */
        AGGREGATION,
        /** The only recently reported shape; other shapes are unknown. */
        SHAPE
    }

    public Drift {
        Checks.positive("factor", factor);
        Checks.require(
                (dimension == Dimension.TYPE) == (acceleratorType != null),
                "type %s does not fit a drift of %s",
                acceleratorType,
                dimension);
    }
}
