package dev.spur.prediction.online;

import dev.spur.model.Checks;
import org.jspecify.annotations.Nullable;

/**
 * A change of a job's speed that is too large and lasts too long for noise.
 *
 * @param dimension where it shows
 * @param acceleratorType the type, if it shows on one type alone; null otherwise
 * @param factor seconds of a step now over those expected, above 0
 */
public record Drift(Dimension dimension, @Nullable String acceleratorType, double factor) {
    /** Where a change shows. */
    public enum Dimension {
        /** In every shape on every type that was reported. */
        EVERYWHERE,
        /** In every shape on one type, not on others. */
        TYPE,
        /** The more, the more slots. */
        SLOTS,
        /** The more, the larger or the smaller the batch of a slot. */
        BATCH,
        /** The more, the more or the fewer aggregation slots. */
        AGGREGATION,
        /** In the one shape that was reported lately; of others nothing can be said. */
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
