package dev.spur.benchmarks.models;

import dev.spur.benchmarks.models.StepMeasurements.Source;
import dev.spur.prediction.speed.SpeedModels;
import dev.spur.prediction.speed.SpeedPrior;
import dev.spur.prediction.speed.StepObservation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Prediction within one type: some steps of a model are known, the others are predicted by Spur's choice and by each
 * formula alone.
 */
final class WithinTypePrediction {
    private static final List<Integer> COUNTS = List.of(3, 5, 8, 32);
    /** Minimum number of test steps; models with fewer are excluded. */
    private static final int MIN_REQUESTED = 3;
    /** Number of known steps of each other model. */
    private static final int STEPS_OF_OTHERS = 20;

    private final List<StepMeasurements> all;
    private final int draws;

    private WithinTypePrediction(List<StepMeasurements> all, int draws) {
        this.all = all;
        this.draws = draws;
    }

    /** Returns the column names of {@link #rows}. */
    static List<String> columns() {
        return List.of("steps", "known", "formula", "errors", "median_percent", "p90_percent", "inside_80_percent");
    }

    /** Returns the rows of a table. */
    static List<List<String>> rows(List<StepMeasurements> all, int draws) {
        List<List<String>> rows = new ArrayList<>();
        for (Source source : Source.values()) {
            for (int count : COUNTS) {
                new WithinTypePrediction(all, draws).measure(source, count).forEach((formula, errors) -> {
                    List<String> row = new ArrayList<>(List.of(source.title(), Integer.toString(count), formula));
                    row.addAll(errors.cells());
                    rows.add(row);
                });
            }
        }
        return rows;
    }

    static List<String> columnsByModel() {
        return List.of("steps", "model", "known", "errors", "median_percent", "p90_percent", "inside_80_percent");
    }

    /** Returns the rows of Spur's choice alone, per model over all its types. */
    static List<List<String>> rowsByModel(List<StepMeasurements> all, int draws) {
        WithinTypePrediction within = new WithinTypePrediction(all, draws);
        List<List<String>> rows = new ArrayList<>();
        for (int count : COUNTS.subList(0, 3)) {
            Map<List<String>, PredictionErrors> errors = new LinkedHashMap<>();
            for (StepMeasurements measured : all) {
                SpeedPrior others = within.others(measured);
                for (int draw = 0; draw < draws; draw++) {
                    TrainTestSplit drawn = TrainTestSplit.of(measured, count, draw);
                    errors.computeIfAbsent(
                                    List.of(measured.source().title(), measured.model()), key -> new PredictionErrors())
                            .add(SpeedModels.fit(drawn.known(), others), drawn.test());
                }
            }
            errors.forEach((model, own) -> {
                List<String> row = new ArrayList<>(model);
                row.add(Integer.toString(count));
                row.addAll(own.cells());
                rows.add(row);
            });
        }
        return rows;
    }

    private Map<String, PredictionErrors> measure(Source source, int count) {
        Map<String, PredictionErrors> errors = new LinkedHashMap<>();
        Map<StepMeasurements, SpeedPrior> others = new HashMap<>();
        for (StepMeasurements measured : all) {
            if (measured.source() == source && measured.steps().size() > count + MIN_REQUESTED) {
                others.put(measured, others(measured));
                for (int draw = 0; draw < draws; draw++) {
                    hold(
                            TrainTestSplit.of(measured, count, draw),
                            others.getOrDefault(measured, SpeedPrior.NONE),
                            errors);
                }
            }
        }
        return errors;
    }

    private static void hold(TrainTestSplit draw, SpeedPrior others, Map<String, PredictionErrors> errors) {
        List<StepObservation> known = draw.known();
        add(errors, "spur", draw, others);
        add(errors, "spur, other models unknown", draw, SpeedPrior.NONE);
        for (String formula : SpeedModels.formulas(known.get(0).shape().strategy())) {
            errors.computeIfAbsent(formula, key -> new PredictionErrors())
                    .add(SpeedModels.fit(known, SpeedPrior.NONE, formula), draw.test());
        }
    }

    private static void add(Map<String, PredictionErrors> errors, String name, TrainTestSplit draw, SpeedPrior prior) {
        errors.computeIfAbsent(name, key -> new PredictionErrors())
                .add(SpeedModels.fit(draw.known(), prior), draw.test());
    }

    /** Returns the speed prior that the other models of the data set give for the type. */
    private SpeedPrior others(StepMeasurements measured) {
        List<List<StepObservation>> steps = all.stream()
                .filter(other -> other.source() == measured.source()
                        && other.acceleratorType().equals(measured.acceleratorType())
                        && !other.model().equals(measured.model()))
                .map(other -> TrainTestSplit.of(other, STEPS_OF_OTHERS, 1).known())
                .toList();
        return SpeedPrior.ofOthers(measured.steps().get(0).shape().strategy(), steps);
    }
}
