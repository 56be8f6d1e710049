package dev.spur.benchmarks;

import dev.spur.benchmarks.instance.MeasuredRound;
import dev.spur.benchmarks.instance.RoundTransition;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.round.StepTime;
import dev.spur.model.validation.PlanCheck;
import dev.spur.simulator.report.ResultTable;
import dev.spur.simulator.trace.parsing.DataFolder;
import dev.spur.solver.policy.Policies;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Benchmark of one round of 160 measured jobs on 64 slots of three types, from the snapshot to the validated plan. */
final class RoundBenchmark implements Benchmark {
    private static final int RUNS = 5;

    @Override
    public String name() {
        return "round";
    }

    @Override
    public String summary() {
        return "a round of 160 measured jobs on 64 slots of three types (needs SPUR_DATA)";
    }

    @Override
    public ResultTable measure() throws Exception {
        Path data = DataFolder.require();
        List<List<String>> rows = new ArrayList<>();
        for (boolean powersOfTwo : new boolean[] {true, false}) {
            String counts = powersOfTwo ? "powers of two" : "any slot count";
            RoundProblem waiting =
                    MeasuredRound.problem(data, "philly/workload-1.csv", 1, powersOfTwo, RoundSettings.DEFAULT);
            rows.add(row("all waiting, " + counts, waiting));
            rows.add(row("next round, " + counts, oneRoundLater(waiting)));
        }
        return new ResultTable(
                List.of(
                        "case",
                        "jobs",
                        "candidates",
                        "rows",
                        "status",
                        "gap_percent",
                        "running",
                        "seconds",
                        "steps_ms"),
                rows);
    }

    /** Returns the same jobs 10 minutes later, with the allocations of the first plan. */
    private static RoundProblem oneRoundLater(RoundProblem problem) {
        return RoundTransition.later(problem, Policies.spur().plan(problem), 600, problem.jobs());
    }

    private static List<String> row(String name, RoundProblem problem) {
        RoundPlan plan = Policies.spur().plan(problem);
        List<Double> seconds = new ArrayList<>();
        for (int run = 0; run < RUNS; run++) {
            long start = System.nanoTime();
            plan = Policies.spur().plan(problem);
            if (!PlanCheck.violations(problem, plan).isEmpty()) {
                throw new IllegalStateException(
                        "The plan validator rejects the plan: " + PlanCheck.violations(problem, plan));
            }
            seconds.add((System.nanoTime() - start) / 1e9);
        }
        seconds.sort(Comparator.naturalOrder());
        StringBuilder steps = new StringBuilder();
        for (StepTime step : plan.stats().steps()) {
            steps.append(String.format(Locale.ROOT, "%s %.0f ", step.step(), step.milliseconds()));
        }
        return List.of(
                name,
                Integer.toString(problem.jobs().size()),
                Integer.toString(plan.stats().candidates()),
                Integer.toString(plan.stats().couplingConstraints()),
                plan.quality().status().toString(),
                String.format(Locale.ROOT, "%.4f", 100 * plan.quality().gap()),
                Integer.toString(plan.running().size()),
                String.format(Locale.ROOT, "%.3f", seconds.get(RUNS / 2)),
                steps.toString().strip());
    }
}
