package dev.spur.benchmarks;

import dev.spur.benchmarks.scaling.BusyCore;
import dev.spur.benchmarks.scaling.Case;
import dev.spur.benchmarks.scaling.Cases;
import dev.spur.benchmarks.scaling.Comparison;
import dev.spur.benchmarks.scaling.ConstraintSet;
import dev.spur.benchmarks.scaling.Growth;
import dev.spur.benchmarks.scaling.MeasurementRunner;
import dev.spur.benchmarks.scaling.SizeBudgets;
import dev.spur.benchmarks.scaling.SolverVariants;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.simulator.report.ResultTable;
import dev.spur.solver.policy.Policies;
import dev.spur.solver.policy.Policy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Benchmark of rounds of increasing size with several solvers. It reports the time from the snapshot to the validated
 * plan and the gap to the lowest upper bound that any of the solvers proved.
 */
final class ScalingBenchmark implements Benchmark {
    /** Short plans of a round on all cores before those on a busy core, and their time limit. */
    private static final int WARM_PLANS = 5;

    private static final double SHORT_SECONDS = 0.3;

    private static final double WARM_UP_SECONDS = 20;

    @Option(
            names = "--sizes",
            split = ",",
            paramLabel = "JOBSxSLOTS",
            defaultValue = "64x64,200x512,1000x2048,5120x2048,4000x10000,10000x40000",
            description =
                    "Rounds to generate; 200x512@0.5/2 has its own time limits, 0.5 s and 2 s (${DEFAULT-VALUE}).")
    private List<String> sizes = List.of();

    @Option(
            names = "--methods",
            split = ",",
            paramLabel = "METHOD",
            defaultValue = "core",
            description =
                    "core: Spur's policy; cpsat, highs, scip: the complete model with that solver; pop2, pop4, pop8, or pop for all"
                            + " three: POP with 2, 4 or 8 partitions of Spur's policy; greedy: no solver (${DEFAULT-VALUE}).")
    private List<String> methods = List.of();

    @Option(
            names = "--features",
            split = ",",
            paramLabel = "KINDS",
            defaultValue = "full",
            description =
                    "Constraint kinds: bare, full, unlimited (full without a restart limit), names joined by + (for example "
                            + "quotas+hosts), or each for every kind alone.")
    private List<String> features = List.of();

    @Option(
            names = "--workloads",
            split = ",",
            paramLabel = "SCALE",
            description = "Use the scaled workloads of SPUR_DATA instead of generated rounds, with their measured"
                    + " profiles: 2, 4, 8, 16, 32 times 160 jobs on 64 slots.")
    private List<Integer> workloads = List.of();

    @Option(
            names = "--plots",
            paramLabel = "DIR",
            description = "Directory for plots of time against jobs and against slots, with fitted exponents.")
    private @Nullable Path plots;

    @Option(
            names = "--later",
            description = "Also plan the next round, in which 5 %% of the jobs have ended or are new.")
    private boolean later;

    @Option(
            names = "--repeat",
            paramLabel = "N",
            defaultValue = "5",
            description = "Number of runs; the median is reported (${DEFAULT-VALUE}).")
    private int repeat;

    @Option(
            names = "--busy",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Plan on one core that N other threads use as well, after some plans on all cores; with 1, half a"
                            + " core is left (${DEFAULT-VALUE}: all cores).")
    private int busy;

    @Option(
            names = "--budgets",
            split = ",",
            paramLabel = "SECONDS",
            defaultValue = "20",
            description = "Limits for each plan, in seconds and in units of work; one row each (${DEFAULT-VALUE}).")
    private List<Double> budgets = List.of();

    @Mixin
    private SolveOptions options = new SolveOptions();

    private final List<Map<String, String>> rows = new ArrayList<>();

    /** Rounds that differ only by their seed. */
    private interface Rounds {
        Case of(long seed) throws IOException;
    }

    @Override
    public String name() {
        return "ladder";
    }

    @Override
    public String summary() {
        return "rounds from 64 jobs on 64 slots to 10,000 on 40,000 and beyond, planned by several solvers";
    }

    @Override
    public ResultTable measure() throws IOException {
        rows.clear();
        Map<String, Policy> policies = SolverVariants.parse(methods);
        List<SizeBudgets> generated =
                sizes.stream().map(text -> SizeBudgets.parse(text, budgets)).toList();
        List<ConstraintSet> programs = features.stream()
                .flatMap(text -> ConstraintSet.parse(text).stream())
                .toList();
        MeasurementRunner.warmUp(policies.values(), options.settings(warmUpSeconds(generated), 0));
        Growth growth = new Growth();
        for (int scale : workloads) {
            measure(policies, growth, budgets, seed -> Cases.ofSia(scale, settings(seed)));
        }
        for (SizeBudgets each : workloads.isEmpty() ? generated : List.<SizeBudgets>of()) {
            for (ConstraintSet program : programs) {
                measure(
                        policies,
                        growth,
                        each.budgets(),
                        seed -> Cases.generate(each.size(), program, seed, settings(seed)));
            }
        }
        if (plots != null) {
            growth.write(plots, Machine.describe());
        }
        return ResultTable.of(rows);
    }

    /** Returns settings of a round before its time limit is set. */
    private RoundSettings settings(long seed) {
        return options.settings(WARM_UP_SECONDS, seed);
    }

    /** Returns the longest of all time limits, up to {@link #WARM_UP_SECONDS}. */
    private double warmUpSeconds(List<SizeBudgets> generated) {
        return Stream.concat(budgets.stream(), generated.stream().flatMap(each -> each.budgets().stream()))
                .mapToDouble(limit -> Math.min(WARM_UP_SECONDS, limit))
                .max()
                .orElse(WARM_UP_SECONDS);
    }

    /**
     * Measures the round of each seed with each time limit. The round is generated once. The next round depends on the
     * plan, so there is one for each time limit.
     */
    private void measure(Map<String, Policy> policies, Growth growth, List<Double> limits, Rounds rounds)
            throws IOException {
        Map<String, Comparison> comparisons = new LinkedHashMap<>();
        for (long seed : options.seeds()) {
            Case round = rounds.of(seed);
            for (double limit : limits) {
                Case limited =
                        round.withSettings(options.withBudget(round.problem().settings(), limit, seed));
                @Nullable RoundPlan last = add(limited, policies, comparisons);
                if (later) {
                    RoundPlan plan = last == null ? Policies.spur().plan(limited.problem()) : last;
                    add(Cases.oneRoundLater(limited, plan, seed), policies, comparisons);
                }
            }
        }
        comparisons.values().forEach(comparison -> rows.addAll(comparison.rows()));
        comparisons.forEach((kind, comparison) -> comparison
                .seconds()
                .forEach((method, seconds) -> growth.add(method + ", " + kind, comparison.size(), seconds)));
    }

    /**
     * Adds the round to the comparison of its kind and returns the last plan of {@code core}; null if there is none.
     */
    @SuppressWarnings("try") // the core is only kept busy
    private @Nullable RoundPlan add(Case round, Map<String, Policy> policies, Map<String, Comparison> comparisons)
            throws IOException {
        double limit = round.problem().settings().budget().wallSeconds();
        Comparison comparison = comparisons.computeIfAbsent(
                round.program() + ", " + limit + " s",
                kind -> new Comparison(round.program(), round.size(), limit, repeat));
        RoundProblem hurried = round.withSettings(
                        options.withBudget(round.problem().settings(), SHORT_SECONDS, 0))
                .problem();
        for (int plan = 0; busy > 0 && plan < WARM_PLANS; plan++) {
            policies.values().forEach(policy -> policy.plan(hurried));
        }
        try (BusyCore busyCore = BusyCore.start(busy)) {
            return comparison.add(round, policies);
        }
    }
}
