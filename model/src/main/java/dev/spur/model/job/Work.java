package dev.spur.model.job;

import dev.spur.model.Checks;
import org.jspecify.annotations.Nullable;

/**
 * How much there is to do.
 *
 * @param unit what {@code amount} counts
 * @param amount above 0
 * @param samplesPerEpoch size of the data set; needed for {@link WorkUnit#EPOCHS}, otherwise null
 */
public record Work(WorkUnit unit, double amount, @Nullable Double samplesPerEpoch) {
    public Work {
        Checks.positive("amount", amount);
        Checks.require(unit != WorkUnit.EPOCHS || samplesPerEpoch != null, "work in %s needs samplesPerEpoch", unit);
        if (samplesPerEpoch != null) {
            Checks.positive("samplesPerEpoch", samplesPerEpoch);
        }
    }

    /** The work in useful samples, that is samples at the initial batch size. */
    public double samples(int initialBatch) {
        return switch (unit) {
            case SAMPLES -> amount;
            case STEPS -> amount * initialBatch;
            case EPOCHS -> amount * (samplesPerEpoch == null ? 0 : samplesPerEpoch);
        };
    }
}
