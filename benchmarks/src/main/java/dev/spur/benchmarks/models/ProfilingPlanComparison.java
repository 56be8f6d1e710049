package dev.spur.benchmarks.models;

import dev.spur.prediction.plan.ProfilingBudget;
import dev.spur.prediction.plan.ProfilingPlan;
import dev.spur.prediction.plan.ProfilingRun;
import dev.spur.prediction.speed.SpeedModels;
import dev.spur.prediction.speed.StepObservation;
import dev.spur.prediction.speed.StepShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;

/** Comparison of planned and random profiling runs, made one after the other after one step on one slot. */
final class ProfilingPlanComparison {
    private static final int RUNS = 5;
    /** A budget that never binds, so that only information per cost determines the choice. */
    private static final ProfilingBudget BUDGET = new ProfilingBudget(1e9, 30, 20);

    private final PredictionErrors[] errors = new PredictionErrors[RUNS + 1];
    private final double[] slotSeconds = new double[RUNS + 1];
    private int jobs;

    private ProfilingPlanComparison() {
        for (int run = 0; run <= RUNS; run++) {
            errors[run] = new PredictionErrors();
        }
    }

    static List<String> columns() {
        return List.of(
                "runs", "chosen", "errors", "median_percent", "p90_percent", "inside_80_percent", "mean_slot_seconds");
    }

    /** Returns the rows of a table. */
    static List<List<String>> rows(List<StepMeasurements> all, int draws) {
        List<List<String>> rows = new ArrayList<>();
        for (boolean planned : new boolean[] {true, false}) {
            ProfilingPlanComparison runs = new ProfilingPlanComparison();
            for (StepMeasurements measured : all) {
                for (int draw = 0; draw < draws; draw++) {
                    runs.make(measured, draw, planned);
                }
            }
            rows.addAll(runs.rows(planned ? "planned" : "random"));
        }
        return rows;
    }

    private void make(StepMeasurements measured, int draw, boolean planned) {
        List<StepObservation> steps =
                new ArrayList<>(TrainTestSplit.of(measured, 0, draw).test());
        StepObservation first = steps.stream()
                .min((a, b) -> Integer.compare(a.shape().slots(), b.shape().slots()))
                .orElseThrow();
        List<StepObservation> known = new ArrayList<>(List.of(first));
        Random random = new Random(draw);
        double cost = 0;
        jobs++;
        for (int run = 0; run <= RUNS; run++) {
            List<StepObservation> open =
                    steps.stream().filter(step -> !known.contains(step)).toList();
            errors[run].add(SpeedModels.fit(known), open);
            slotSeconds[run] += cost;
            StepObservation next = planned ? nextMeasurement(known, open) : open.get(random.nextInt(open.size()));
            known.add(next);
            cost += next.shape().slots() * (BUDGET.startSeconds() + BUDGET.steps() * next.stepSeconds());
        }
    }

    private static StepObservation nextMeasurement(List<StepObservation> known, List<StepObservation> open) {
        List<StepShape> shapes = open.stream().map(StepObservation::shape).toList();
        Optional<ProfilingRun> run = ProfilingPlan.next("any", SpeedModels.fit(known), shapes, BUDGET);
        return run.flatMap(chosen -> open.stream()
                        .filter(step -> step.shape().equals(chosen.shape()))
                        .findFirst())
                .orElse(open.get(0));
    }

    private List<List<String>> rows(String chosen) {
        List<List<String>> rows = new ArrayList<>();
        for (int run = 0; run <= RUNS; run++) {
            List<String> row = new ArrayList<>(List.of(Integer.toString(run), chosen));
            row.addAll(errors[run].cells());
            row.add(String.format(Locale.ROOT, "%.0f", slotSeconds[run] / jobs));
            rows.add(row);
        }
        return rows;
    }
}
