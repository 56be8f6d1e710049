package dev.spur.benchmarks.models;

import dev.spur.benchmarks.models.StepMeasurements.Source;
import dev.spur.prediction.speed.StepObservation;
import dev.spur.prediction.speed.StepShape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Linear interpolation error: distance of a measured step time from the straight line between its measured neighbors.
 * For most models the neighbors are the next smaller and next larger batch on the same slots and nodes. For parameter
 * servers they are the next lower and next higher number of workers. It estimates the error of a predictor that knows
 * every other step and interpolates linearly.
 */
final class InterpolationError {
    private InterpolationError() {}

    static List<String> columns() {
        return List.of("steps", "model", "between", "median_percent", "p90_percent");
    }

    /** Returns the rows of a table: one per model, then one for all of a data set. */
    static List<List<String>> rows(List<StepMeasurements> all) {
        List<List<String>> rows = new ArrayList<>();
        for (Source source : Source.values()) {
            Map<String, List<Double>> byModel = new LinkedHashMap<>();
            List<Double> together = new ArrayList<>();
            for (StepMeasurements measured : all) {
                if (measured.source() == source) {
                    List<Double> errors = errors(measured);
                    byModel.computeIfAbsent(measured.model(), model -> new ArrayList<>())
                            .addAll(errors);
                    together.addAll(errors);
                }
            }
            byModel.put("all", together);
            byModel.forEach((model, errors) -> rows.add(row(source, model, errors)));
        }
        return rows;
    }

    private static List<String> row(Source source, String model, List<Double> errors) {
        return List.of(
                source.title(), model, Integer.toString(errors.size()), percent(errors, 0.5), percent(errors, 0.9));
    }

    private static String percent(List<Double> errors, double part) {
        List<Double> sorted = new ArrayList<>(errors);
        Collections.sort(sorted);
        return sorted.isEmpty()
                ? "-"
                : PredictionErrors.percent(sorted.get((int) Math.min(sorted.size() - 1.0, part * sorted.size())));
    }

    /** Returns the relative interpolation error of each step with two neighbors. */
    static List<Double> errors(StepMeasurements measured) {
        boolean served = measured.source() == Source.PARAMETER_SERVER;
        Map<List<Number>, List<StepObservation>> lines = new LinkedHashMap<>();
        for (StepObservation step : measured.steps()) {
            StepShape shape = step.shape();
            List<Number> line = served ? List.of(shape.aggregationSlots()) : List.of(shape.slots(), shape.nodes());
            lines.computeIfAbsent(line, key -> new ArrayList<>()).add(step);
        }
        List<Double> errors = new ArrayList<>();
        for (List<StepObservation> line : lines.values()) {
            line.sort(Comparator.comparingDouble(step -> at(step, served)));
            for (int i = 1; i + 1 < line.size(); i++) {
                errors.add(error(line.get(i - 1), line.get(i), line.get(i + 1), served));
            }
        }
        return errors;
    }

    private static double at(StepObservation step, boolean served) {
        return served ? step.shape().slots() : step.shape().perSlotBatch();
    }

    private static double error(StepObservation before, StepObservation step, StepObservation after, boolean served) {
        double part = (at(step, served) - at(before, served)) / (at(after, served) - at(before, served));
        double line = before.stepSeconds() + part * (after.stepSeconds() - before.stepSeconds());
        return Math.abs(line / step.stepSeconds() - 1);
    }
}
