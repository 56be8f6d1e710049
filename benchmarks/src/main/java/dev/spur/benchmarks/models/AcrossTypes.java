package dev.spur.benchmarks.models;

import dev.spur.benchmarks.models.MeasuredSteps.Source;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.prediction.family.Families;
import dev.spur.prediction.family.FamilySpeeds;
import dev.spur.prediction.job.JobFacts;
import dev.spur.prediction.job.JobPredictor;
import dev.spur.prediction.speed.Observation;
import dev.spur.prediction.speed.TypedObservation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A job is known on one type; its steps on another, on which it never ran, are foretold. */
final class AcrossTypes {
    private static final int OWN_STEPS = 5;
    private static final int STEPS_OF_FAMILY = 8;
    private static final int STEPS_OF_OTHERS = 20;

    /** What is known beside five steps on another type. Other families are known on every type. */
    private enum Known {
        FAMILY_THERE("earlier jobs of the family there"),
        ONE_SLOT("one step of the job on one slot there"),
        OTHERS("other families alone");

        private final String title;

        Known(String title) {
            this.title = title;
        }
    }

    private final List<MeasuredSteps> all;

    private AcrossTypes(List<MeasuredSteps> all) {
        this.all = all;
    }

    static List<String> columns() {
        return List.of("type", "known", "errors", "median_percent", "p90_percent", "inside_80_percent");
    }

    /** The rows of a table: for each type that is left out, and for all of them. */
    static List<List<String>> rows(List<MeasuredSteps> measured, int draws) {
        List<MeasuredSteps> all =
                measured.stream().filter(m -> m.source() == Source.PLACEMENTS).toList();
        List<List<String>> rows = new ArrayList<>();
        for (Known known : Known.values()) {
            Map<String, Errors> errors = new LinkedHashMap<>();
            for (MeasuredSteps target : all) {
                for (int draw = 0; draw < draws; draw++) {
                    new AcrossTypes(all).foretell(target, known, draw, errors);
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

    private void foretell(MeasuredSteps target, Known known, int draw, Map<String, Errors> errors) {
        MeasuredSteps like = all.stream()
                .filter(other -> other.model().equals(target.model()) && !other.equals(target))
                .skip(draw % 4)
                .findFirst()
                .orElseThrow();
        List<TypedObservation> own =
                new ArrayList<>(typed(like, Draw.of(like, OWN_STEPS, draw).known()));
        if (known == Known.ONE_SLOT) {
            target.steps().stream()
                    .filter(step -> step.shape().slots() == 1)
                    .findFirst()
                    .ifPresent(step -> own.addAll(typed(target, List.of(step))));
        }
        JobFacts facts =
                new JobFacts(target.model(), new ThroughputProfile(List.of(), List.of()), own, BatchLimits.fixed(1));
        new JobPredictor(facts, families(target, known, draw))
                .forecast(target.acceleratorType(), SyncStrategy.ALL_REDUCE)
                .ifPresent(forecast -> {
                    List<Observation> asked =
                            Draw.of(target, STEPS_OF_FAMILY, 1000L + draw).asked();
                    errors.computeIfAbsent("all", type -> new Errors()).add(forecast, asked);
                    errors.computeIfAbsent(target.acceleratorType(), type -> new Errors())
                            .add(forecast, asked);
                });
    }

    private Families families(MeasuredSteps target, Known known, int draw) {
        Map<String, FamilySpeeds> families = new LinkedHashMap<>();
        for (MeasuredSteps measured : all) {
            boolean own = measured.model().equals(target.model());
            if (!own || known == Known.FAMILY_THERE) {
                List<Observation> steps = Draw.of(measured, own ? STEPS_OF_FAMILY : STEPS_OF_OTHERS, 1000L + draw)
                        .known();
                families.merge(
                        measured.model(),
                        FamilySpeeds.unknown(measured.model()).learn(typed(measured, steps)),
                        (before, more) -> before.learn(typed(measured, steps)));
            }
        }
        return new Families(families.values());
    }

    private static List<TypedObservation> typed(MeasuredSteps measured, List<Observation> steps) {
        return steps.stream()
                .map(step -> new TypedObservation(measured.acceleratorType(), step))
                .toList();
    }
}
