package dev.spur.benchmarks;

import dev.spur.benchmarks.scaling.Case;
import dev.spur.benchmarks.scaling.Cases;
import dev.spur.benchmarks.scaling.ConstraintSet;
import dev.spur.benchmarks.scaling.Growth;
import dev.spur.benchmarks.scaling.Measurement;
import dev.spur.benchmarks.scaling.MeasurementRunner;
import dev.spur.benchmarks.scaling.Size;
import dev.spur.benchmarks.scaling.SolverVariants;
import dev.spur.model.objective.Objective;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.round.SolveBudget;
import dev.spur.model.round.StepTime;
import dev.spur.simulator.report.ResultTable;
import dev.spur.solver.candidate.CandidateGenerator;
import dev.spur.solver.policy.Policies;
import dev.spur.solver.policy.Policy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Benchmark of rounds of increasing size with several solvers. It reports the time from the snapshot to the validated
 * plan and the gap to the lowest upper bound that any of the solvers proved.
 */
final class ScalingBenchmark implements Benchmark {
    private static final List<String> HEADER = List.of(
            "jobs",
            "slots",
            "candidates",
            "method",
            "seconds",
            "gap_percent",
            "improvement_percent",
            "peak_mib",
            "program",
            "status",
            "runs",
            "steps_ms");

    @Option(
            names = "--sizes",
            split = ",",
            paramLabel = "JOBSxSLOTS",
            defaultValue = "64x64,200x512,1000x2048,5120x2048,4000x10000,10000x40000",
            description = "Rounds to generate (${DEFAULT-VALUE}).")
    private List<String> sizes = List.of();

    @Option(
            names = "--methods",
            split = ",",
            paramLabel = "METHOD",
            defaultValue = "core",
            description =
                    "core: Spur's policy; cpsat, lp: the complete model with CP-SAT or HiGHS; pop2, pop4, pop8, or pop for all"
                            + " three: POP with 2, 4 or 8 partitions of Spur's policy; greedy: no solver (${DEFAULT-VALUE}).")
    private List<String> methods = List.of();

    @Option(
            names = "--features",
            split = ",",
            paramLabel = "KINDS",
            defaultValue = "full",
            description =
                    "Constraint kinds: bare, full, names joined by + (for example quotas+hosts), or each for every kind alone.")
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
            names = "--budget",
            paramLabel = "SECONDS",
            defaultValue = "20",
            description = "Limit for each plan, in seconds and in units of work (${DEFAULT-VALUE}).")
    private double budget;

    @Option(
            names = "--gap",
            paramLabel = "PERCENT",
            defaultValue = "0.01",
            description = "Gap limit: optimality gap at which a method stops (${DEFAULT-VALUE}).")
    private double gap;

    @Option(
            names = "--workers",
            paramLabel = "N",
            defaultValue = "1",
            description = "Solver threads (${DEFAULT-VALUE}).")
    private int workers;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of the rounds (${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--objective",
            paramLabel = "KIND",
            defaultValue = "COMPLETION_TIME",
            description = "Objective of the plans (${DEFAULT-VALUE}).")
    private ObjectiveKind objective = ObjectiveKind.COMPLETION_TIME;

    private final List<List<String>> rows = new ArrayList<>();

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
        RoundSettings settings = RoundSettings.DEFAULT
                .withObjective(Objective.of(objective))
                .withEffort(gap / 100, new SolveBudget(budget, budget, workers, (int) seed));
        Map<String, Policy> policies = SolverVariants.parse(methods);
        List<Size> rungs = sizes.stream().map(Size::parse).toList();
        List<ConstraintSet> programs = features.stream()
                .flatMap(text -> ConstraintSet.parse(text).stream())
                .toList();
        warmUp(policies, settings);
        Growth growth = new Growth();
        for (int scale : workloads) {
            measure(Cases.measured(scale, settings), policies, growth);
        }
        for (Size size : workloads.isEmpty() ? rungs : List.<Size>of()) {
            for (ConstraintSet program : programs) {
                measure(Cases.generated(size, program, seed, settings), policies, growth);
            }
        }
        if (plots != null) {
            growth.write(plots, Machine.describe());
        }
        return new ResultTable(HEADER, rows);
    }

    /** Runs each method once on a small round, so that the first row does not include JIT compilation. */
    private static void warmUp(Map<String, Policy> policies, RoundSettings settings) {
        Case small = Cases.generated(new Size(200, 512), ConstraintSet.FULL, 0, settings);
        policies.values().forEach(policy -> policy.plan(small.problem()));
    }

    private void measure(Case round, Map<String, Policy> policies, Growth growth) {
        List<Measurement> measured = compare(round, policies);
        Size size = new Size(round.problem().jobs().size(), round.slots());
        measured.forEach(one -> growth.add(one.method() + ", " + round.program(), size, one.seconds()));
        if (later) {
            RoundPlan last = measured.stream()
                    .filter(measurement -> measurement.method().equals("core"))
                    .map(Measurement::plan)
                    .findFirst()
                    .orElseGet(() -> Policies.spur().plan(round.problem()));
            compare(Cases.oneRoundLater(round, last, seed), policies);
        }
    }

    private List<Measurement> compare(Case round, Map<String, Policy> policies) {
        int candidates = CandidateGenerator.generate(round.problem()).size();
        List<Measurement> measured = new ArrayList<>();
        policies.forEach((name, policy) -> measured.add(MeasurementRunner.of(name, policy, round.problem(), repeat)));
        double bound = measured.stream()
                .mapToDouble(measurement -> measurement.plan().quality().bestBound())
                .min()
                .orElseThrow();
        measured.forEach(measurement -> rows.add(row(round, candidates, measurement, bound)));
        return measured;
    }

    private List<String> row(Case round, int candidates, Measurement measurement, double bound) {
        return List.of(
                Integer.toString(round.problem().jobs().size()),
                Integer.toString(round.slots()),
                Integer.toString(candidates),
                measurement.method(),
                format("%.3f", measurement.seconds()),
                format("%.4f", 100 * measurement.gapTo(bound)),
                format("%.2f", 100 * measurement.improvementTo(bound)),
                Long.toString(measurement.peakMib()),
                round.program(),
                measurement.plan().quality().status().name(),
                Integer.toString(repeat),
                steps(measurement));
    }

    private static String steps(Measurement measurement) {
        List<StepTime> all = new ArrayList<>(measurement.plan().stats().steps());
        all.add(new StepTime("validate", measurement.validationSeconds() * 1000));
        return all.stream()
                .map(step -> format("%s=%.0f", step.step(), step.milliseconds()))
                .collect(Collectors.joining(" "));
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
