package dev.spur.benchmarks.models;

import dev.spur.prediction.speed.PredictiveDistribution;
import dev.spur.prediction.speed.StepObservation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Relative errors of predicted step times and coverage of the prediction intervals. */
final class PredictionErrors {
    private static final double PROBABILITY = 0.8;

    private final List<Double> errors = new ArrayList<>();
    private int inside;

    /** Adds the errors of {@code forecast} for each step of {@code truth}. */
    void add(PredictiveDistribution forecast, List<StepObservation> truth) {
        for (StepObservation step : truth) {
            errors.add(Math.abs(forecast.stepSeconds(step.shape()) / step.stepSeconds() - 1));
            if (forecast.band(step.shape(), PROBABILITY).holds(step.stepSeconds())) {
                inside++;
            }
        }
    }

    /**
     * Returns the number of errors, the median and 90th percentile in percent, and the coverage of the 80 % intervals
     * in percent.
     */
    List<String> cells() {
        return List.of(
                Integer.toString(errors.size()),
                percent(quantile(0.5)),
                percent(quantile(0.9)),
                percent((double) inside / errors.size()));
    }

    /** Returns the quantile {@code part} of the errors. */
    double quantile(double part) {
        Collections.sort(errors);
        return errors.get((int) Math.min(errors.size() - 1.0, part * errors.size()));
    }

    static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f", 100 * share);
    }
}
