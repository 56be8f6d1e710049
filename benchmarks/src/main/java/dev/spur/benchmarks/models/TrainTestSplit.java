package dev.spur.benchmarks.models;

import dev.spur.prediction.speed.StepObservation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Random split of measured steps into training and test steps.
 *
 * @param known training steps
 * @param test test steps; limited in number, so that models with many steps do not dominate the result
 */
record TrainTestSplit(List<StepObservation> known, List<StepObservation> test) {
    private static final int MAX_REQUESTED = 60;

    /** Draws {@code count} training steps at random; deterministic for the same steps and {@code seed}. */
    static TrainTestSplit of(StepMeasurements measured, int count, long seed) {
        List<StepObservation> steps = new ArrayList<>(measured.steps());
        Collections.shuffle(steps, new Random(seed + 31L * (measured.model() + measured.acceleratorType()).hashCode()));
        int known = Math.min(count, steps.size() - 1);
        return new TrainTestSplit(
                List.copyOf(steps.subList(0, known)),
                List.copyOf(steps.subList(known, Math.min(steps.size(), known + MAX_REQUESTED))));
    }
}
