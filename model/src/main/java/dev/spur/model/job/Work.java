package dev.spur.model.job;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.spur.model.Checks;
import org.jspecify.annotations.Nullable;

/**
 * The amount of work of a job.
 *
 * @param unit unit of {@code amount}
 * @param amount above 0
 * @param samplesPerEpoch size of the data set; required for {@link WorkUnit#EPOCHS}, otherwise null
 * @param targetLoss training loss at which the job is done, {@code amount} then being the upper limit; null if only the
 *     amount ends the job
 * @param estimated true if the job ends only when its processes end, {@code amount} then being an estimate
 */
public record Work(
        WorkUnit unit,
        double amount,
        @Nullable Double samplesPerEpoch,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double targetLoss,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean estimated) {
    public Work {
        Checks.positive("amount", amount);
        Checks.require(unit != WorkUnit.EPOCHS || samplesPerEpoch != null, "work in %s requires samplesPerEpoch", unit);
        if (samplesPerEpoch != null) {
            Checks.positive("samplesPerEpoch", samplesPerEpoch);
        }
        Checks.require(targetLoss == null || Double.isFinite(targetLoss), "targetLoss (%s) must be finite", targetLoss);
    }

    /** Work without a target loss. */
    public Work(WorkUnit unit, double amount, @Nullable Double samplesPerEpoch) {
        this(unit, amount, samplesPerEpoch, null);
    }

    /** Work whose amount or target loss ends the job. */
    public Work(WorkUnit unit, double amount, @Nullable Double samplesPerEpoch, @Nullable Double targetLoss) {
        this(unit, amount, samplesPerEpoch, targetLoss, false);
    }

    @JsonCreator
    static Work read(
            @JsonProperty("unit") WorkUnit unit,
            @JsonProperty("amount") double amount,
            @JsonProperty("samplesPerEpoch") @Nullable Double samplesPerEpoch,
            @JsonProperty("targetLoss") @Nullable Double targetLoss,
            @JsonProperty("estimated") @Nullable Boolean estimated) {
        return new Work(unit, amount, samplesPerEpoch, targetLoss, Boolean.TRUE.equals(estimated));
    }

    /**
     * Returns the work in effective samples, that is, samples at the initial batch size; with a target loss, the upper
     * limit.
     */
    public double samples(int initialBatch) {
        return switch (unit) {
            case SAMPLES -> amount;
            case STEPS -> amount * initialBatch;
            case EPOCHS -> amount * (samplesPerEpoch == null ? 0 : samplesPerEpoch);
        };
    }
}
