package dev.spur.benchmarks.models;

import dev.spur.prediction.speed.StepObservation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Measured steps in two parts.
 *
 * @param known those that are drawn
 * @param asked of the others so many at most that models with many steps do not speak for all
 */
record TrainTestSplit(List<StepObservation> known, List<StepObservation> asked) {
    private static final int MOST_ASKED = 60;

    /** {@code count} steps drawn at random; the same for the same steps and {@code seed}. */
    static TrainTestSplit of(StepMeasurements measured, int count, long seed) {
        List<StepObservation> steps = new ArrayList<>(measured.steps());
        Collections.shuffle(steps, new Random(seed + 31L * (measured.model() + measured.acceleratorType()).hashCode()));
        int known = Math.min(count, steps.size() - 1);
        return new TrainTestSplit(
                List.copyOf(steps.subList(0, known)),
                List.copyOf(steps.subList(known, Math.min(steps.size(), known + MOST_ASKED))));
    }
}
