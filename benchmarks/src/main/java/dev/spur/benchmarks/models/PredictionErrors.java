package dev.spur.benchmarks.models;

import dev.spur.prediction.speed.PredictiveDistribution;
import dev.spur.prediction.speed.StepObservation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Relative errors of predicted step times, and how many lay inside their bands. */
final class PredictionErrors {
    private static final double PROBABILITY = 0.8;

    private final List<Double> errors = new ArrayList<>();
    private int inside;

    /** Holds what {@code forecast} says of each of {@code truth} against it. */
    void add(PredictiveDistribution forecast, List<StepObservation> truth) {
        for (StepObservation step : truth) {
            errors.add(Math.abs(forecast.stepSeconds(step.shape()) / step.stepSeconds() - 1));
            if (forecast.band(step.shape(), PROBABILITY).holds(step.stepSeconds())) {
                inside++;
            }
        }
    }

    /** Number of errors, median and 90th percentile in percent, and the share inside 80 % bands, in percent. */
    List<String> cells() {
        return List.of(
                Integer.toString(errors.size()),
                percent(quantile(0.5)),
                percent(quantile(0.9)),
                percent((double) inside / errors.size()));
    }

    /** The error that a share {@code part} of all stays below. */
    double quantile(double part) {
        Collections.sort(errors);
        return errors.get((int) Math.min(errors.size() - 1.0, part * errors.size()));
    }

    static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f", 100 * share);
    }
}
