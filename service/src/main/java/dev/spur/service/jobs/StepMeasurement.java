package dev.spur.service.jobs;

import dev.spur.model.Checks;
import dev.spur.model.allocation.Configuration;
import dev.spur.prediction.online.SpeedReport;
import dev.spur.prediction.speed.StepShape;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Steps that an executor measured under the current allocation. Exactly one of step time and speed is given.
 *
 * @param stepSeconds seconds of a step, mean or median, above 0
 * @param samplesPerSecond raw samples per second, above 0
 * @param batchSize global batch size; null for that of the allocation
 * @param steps number of measured steps, at least 1
 * @param noiseScale gradient noise scale in samples; null if it was not measured
 * @param slots number of ranks of the steps; null for that of the allocation
 */
public record StepMeasurement(
        @Nullable Double stepSeconds,
        @Nullable Double samplesPerSecond,
        @Nullable Integer batchSize,
        long steps,
        @Nullable Double noiseScale,
        @Nullable Integer slots) {
    public StepMeasurement {
        Checks.require(
                (stepSeconds == null) != (samplesPerSecond == null),
                "stepSeconds (%s) or samplesPerSecond (%s) must be given, and not both",
                stepSeconds,
                samplesPerSecond);
        Checks.require(steps >= 1, "steps (%s) must be at least 1", steps);
    }

    /** Returns the global batch size of the steps in {@code held}. */
    public int batch(Configuration held) {
        return batchSize == null ? held.batchSize() : batchSize;
    }

    /** Returns true if the steps were made on the slots of {@code held}: a change of the ranks takes some time. */
    public boolean isOf(Configuration held) {
        return slots == null || slots == held.slots();
    }

    /** Returns the seconds of a step in {@code held}. */
    public double seconds(Configuration held) {
        return stepSeconds != null ? stepSeconds : batch(held) / Objects.requireNonNull(samplesPerSecond);
    }

    /**
     * Returns this measurement as a speed report with the stated host resources within one domain of the topology.
     *
     * @param held configuration of the job
     * @param accumulationSteps those for its batch
     * @param speed speed of {@code held} relative to that with the stated host resources in one domain, above 0
     */
    public SpeedReport report(Configuration held, int accumulationSteps, double speed, long generation) {
        return new SpeedReport(
                held.acceleratorType(),
                StepShape.ofBatch(held.slots(), held.nodes(), batch(held), accumulationSteps, held.aggregationSlots()),
                speed * seconds(held),
                steps,
                (int) Math.min(Integer.MAX_VALUE, generation));
    }
}
