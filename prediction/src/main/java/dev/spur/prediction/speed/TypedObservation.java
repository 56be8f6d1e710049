package dev.spur.prediction.speed;

import dev.spur.model.Checks;
import dev.spur.model.performance.ProfilePoint;

/** A measured step with the accelerator type on which it ran. */
public record TypedObservation(String acceleratorType, StepObservation observation) {
    public TypedObservation {
        Checks.nonBlank("acceleratorType", acceleratorType);
    }

    /** Returns the step of a measured throughput above 0; {@code accumulationSteps} are those of its batch size. */
    public static TypedObservation of(ProfilePoint point, int accumulationSteps) {
        Checks.positive("samplesPerSecond", point.samplesPerSecond());
        return new TypedObservation(
                point.acceleratorType(),
                StepObservation.of(
                        StepShape.ofBatch(
                                point.slots(),
                                point.nodes(),
                                point.batchSize(),
                                accumulationSteps,
                                point.aggregationSlots()),
                        point.batchSize() / point.samplesPerSecond()));
    }
}
