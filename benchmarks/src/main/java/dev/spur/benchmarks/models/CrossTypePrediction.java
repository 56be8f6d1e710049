package dev.spur.benchmarks.models;

import dev.spur.benchmarks.models.StepMeasurements.Source;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.prediction.family.Families;
import dev.spur.prediction.family.FamilySpeeds;
import dev.spur.prediction.job.JobPredictor;
import dev.spur.prediction.job.PredictionInput;
import dev.spur.prediction.speed.StepObservation;
import dev.spur.prediction.speed.TypedObservation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Prediction across accelerator types: a job is measured on one type, and its step times on another type are predicted.
 */
final class CrossTypePrediction {
    private static final int OWN_STEPS = 5;
    private static final int STEPS_OF_FAMILY = 8;
    private static final int STEPS_OF_OTHERS = 20;

    /**
     * Measurements available in addition to five steps on another type. Other model families are measured on every
     * type.
     */
    private enum KnowledgeLevel {
        FAMILY_THERE("earlier jobs of the family there"),
        ONE_SLOT("one step of the job on one slot there"),
        OTHERS("other families alone");

        private final String title;

        KnowledgeLevel(String title) {
            this.title = title;
        }
    }

    private final List<StepMeasurements> all;

    private CrossTypePrediction(List<StepMeasurements> all) {
        this.all = all;
    }

    static List<String> columns() {
        return List.of("type", "known", "errors", "median_percent", "p90_percent", "inside_80_percent");
    }

    /** Returns the rows of a table: one per left-out type, and one for all types. */
    static List<List<String>> rows(List<StepMeasurements> measured, int draws) {
        List<StepMeasurements> all =
                measured.stream().filter(m -> m.source() == Source.PLACEMENTS).toList();
        List<List<String>> rows = new ArrayList<>();
        for (KnowledgeLevel known : KnowledgeLevel.values()) {
            Map<String, PredictionErrors> errors = new LinkedHashMap<>();
            for (StepMeasurements target : all) {
                for (int draw = 0; draw < draws; draw++) {
                    new CrossTypePrediction(all).predict(target, known, draw, errors);
                }
            }
            errors.forEach((type, own) -> {
                List<String> row = new ArrayList<>(List.of(type, known.title));
                row.addAll(own.cells());
                rows.add(row);
            });
        }
        return rows;
    }

    private void predict(
            StepMeasurements target, KnowledgeLevel known, int draw, Map<String, PredictionErrors> errors) {
        StepMeasurements like = all.stream()
                .filter(other -> other.model().equals(target.model()) && !other.equals(target))
                .skip(draw % 4)
                .findFirst()
                .orElseThrow();
        List<TypedObservation> own = new ArrayList<>(
                withType(like, TrainTestSplit.of(like, OWN_STEPS, draw).known()));
        if (known == KnowledgeLevel.ONE_SLOT) {
            target.steps().stream()
                    .filter(step -> step.shape().slots() == 1)
                    .findFirst()
                    .ifPresent(step -> own.addAll(withType(target, List.of(step))));
        }
        PredictionInput facts = new PredictionInput(
                target.model(), new ThroughputProfile(List.of(), List.of()), own, BatchLimits.ofBatch(1));
        new JobPredictor(facts, families(target, known, draw))
                .forecast(target.acceleratorType(), SyncStrategy.ALL_REDUCE)
                .ifPresent(forecast -> {
                    List<StepObservation> test = TrainTestSplit.of(target, STEPS_OF_FAMILY, 1000L + draw)
                            .test();
                    errors.computeIfAbsent("all", type -> new PredictionErrors())
                            .add(forecast, test);
                    errors.computeIfAbsent(target.acceleratorType(), type -> new PredictionErrors())
                            .add(forecast, test);
                });
    }

    private Families families(StepMeasurements target, KnowledgeLevel known, int draw) {
        Map<String, FamilySpeeds> families = new LinkedHashMap<>();
        for (StepMeasurements measured : all) {
            boolean own = measured.model().equals(target.model());
            if (!own || known == KnowledgeLevel.FAMILY_THERE) {
                List<StepObservation> steps = TrainTestSplit.of(
                                measured, own ? STEPS_OF_FAMILY : STEPS_OF_OTHERS, 1000L + draw)
                        .known();
                families.merge(
                        measured.model(),
                        FamilySpeeds.unknown(measured.model()).learn(withType(measured, steps)),
                        (before, more) -> before.learn(withType(measured, steps)));
            }
        }
        return new Families(families.values());
    }

    private static List<TypedObservation> withType(StepMeasurements measured, List<StepObservation> steps) {
        return steps.stream()
                .map(step -> new TypedObservation(measured.acceleratorType(), step))
                .toList();
    }
}
