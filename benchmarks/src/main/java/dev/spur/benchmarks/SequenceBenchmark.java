package dev.spur.benchmarks;

import dev.spur.benchmarks.instance.RoundTransition;
import dev.spur.benchmarks.scaling.Cases;
import dev.spur.benchmarks.scaling.ConstraintSet;
import dev.spur.benchmarks.scaling.MeasurementRunner;
import dev.spur.benchmarks.scaling.RoundSequence;
import dev.spur.benchmarks.scaling.Size;
import dev.spur.benchmarks.scaling.SizeBudgets;
import dev.spur.model.round.RoundProblem;
import dev.spur.simulator.report.ResultTable;
import dev.spur.solver.policy.Policies;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Benchmark of consecutive rounds with arrivals and departures. It reports the distribution of gap and time, and
 * whether the gap drifts.
 */
final class SequenceBenchmark implements Benchmark {
    private static final double WARM_UP_SECONDS = 5;

    @Option(
            names = "--sizes",
            split = ",",
            paramLabel = "JOBSxSLOTS",
            defaultValue = "200x512,1000x2048,4000x10000",
            description =
                    "Sizes of the rounds; 200x512@0.5/2 has its own time limits, 0.5 s and 2 s (${DEFAULT-VALUE}).")
    private List<String> sizes = List.of();

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "300",
            description = "Number of rounds (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--period",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "Time of the cluster from one round to the next, in seconds (${DEFAULT-VALUE}).")
    private double period;

    @Option(
            names = "--features",
            paramLabel = "KINDS",
            defaultValue = "full",
            description = "Constraint kinds: bare, full, or names joined by + (${DEFAULT-VALUE}).")
    private String features = "";

    @Option(
            names = "--budgets",
            split = ",",
            paramLabel = "SECONDS",
            defaultValue = "2",
            description = "Limits for each plan, in seconds and in units of work; one row each (${DEFAULT-VALUE}).")
    private List<Double> budgets = List.of();

    @Mixin
    private SolveOptions options = new SolveOptions();

    @Override
    public String name() {
        return "sequence";
    }

    @Override
    public String summary() {
        return "consecutive rounds, in which jobs progress, end and arrive";
    }

    @Override
    public ResultTable measure() {
        List<SizeBudgets> generated =
                sizes.stream().map(text -> SizeBudgets.parse(text, budgets)).toList();
        ConstraintSet program = ConstraintSet.parse(features).get(0);
        MeasurementRunner.warmUp(List.of(Policies.spur()), options.settings(WARM_UP_SECONDS, 0));
        List<Map<String, String>> rows = new ArrayList<>();
        for (SizeBudgets each : generated) {
            for (long seed : options.seeds()) {
                RoundProblem first = Cases.generate(each.size(), program, seed, options.settings(WARM_UP_SECONDS, seed))
                        .problem();
                each.budgets().forEach(limit -> rows.add(row(each.size(), program, limit, seed, first)));
            }
        }
        return ResultTable.of(rows);
    }

    private Map<String, String> row(Size size, ConstraintSet program, double limit, long seed, RoundProblem first) {
        RoundSequence sequence = RoundSequence.plan(
                first.withSettings(options.withBudget(first.settings(), limit, seed)),
                new RoundTransition(first.jobs(), period, seed),
                Policies.spur(),
                rounds);
        Map<String, String> row = new LinkedHashMap<>();
        row.put("jobs", Integer.toString(size.jobs()));
        row.put("slots", Integer.toString(size.slots()));
        row.put("program", program.name());
        row.put("limit_s", SizeBudgets.text(limit));
        row.put("seed", Long.toString(seed));
        row.putAll(sequence.figures());
        return row;
    }
}
