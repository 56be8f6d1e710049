package dev.spur.benchmarks.aggregation;

import dev.spur.benchmarks.models.StepMeasurements;
import dev.spur.model.Checks;
import dev.spur.prediction.speed.PosteriorModel;
import dev.spur.prediction.speed.SpeedModels;
import dev.spur.prediction.speed.SpeedPrior;
import dev.spur.prediction.speed.StepObservation;
import dev.spur.prediction.speed.StepShape;
import java.util.ArrayList;
import java.util.List;

/**
 * Derives step times at batch sizes at which a model was not measured. A derived time is a measured time multiplied by
 * a stretch factor. The factor comes from Optimus' formula, fitted to all measured steps of the model.
 */
final class DerivedBatches {
    private static final String FORMULA = "optimus";

    private DerivedBatches() {}

    /**
     * Returns the model with its measured steps, followed by derived steps at {@code multiples} of their batch sizes,
     * except 1. No device gets more samples than in some measured step, or fewer than one.
     *
     * @param multiples above 0
     */
    static StepMeasurements of(StepMeasurements model, List<Double> multiples) {
        multiples.forEach(multiple -> Checks.positive("multiple", multiple));
        PosteriorModel fitted = SpeedModels.fit(model.steps(), SpeedPrior.NONE, FORMULA);
        double max = model.steps().stream()
                .mapToDouble(step -> step.shape().perSlotBatch())
                .max()
                .orElseThrow();
        List<StepObservation> steps = new ArrayList<>(model.steps());
        for (double multiple : multiples) {
            for (StepObservation step : model.steps()) {
                double samples = multiple * step.shape().perSlotBatch();
                if (multiple != 1 && samples >= 1 && samples <= max) {
                    steps.add(derive(step, multiple, fitted));
                }
            }
        }
        return new StepMeasurements(model.source(), model.model(), model.acceleratorType(), steps);
    }

    private static StepObservation derive(StepObservation step, double multiple, PosteriorModel fitted) {
        StepShape shape = step.shape();
        StepShape other = new StepShape(
                shape.slots(),
                shape.nodes(),
                multiple * shape.perSlotBatch(),
                shape.accumulationSteps(),
                shape.aggregationSlots());
        double stretch = fitted.stepSeconds(other) / fitted.stepSeconds(shape);
        // the time per step is monotone in the batch size and grows at most proportionally
        double possible = Math.max(Math.min(1, multiple), Math.min(Math.max(1, multiple), stretch));
        return StepObservation.of(other, possible * step.stepSeconds());
    }
}
