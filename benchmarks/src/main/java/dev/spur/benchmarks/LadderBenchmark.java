package dev.spur.benchmarks;

import dev.spur.benchmarks.instance.Feature;
import dev.spur.benchmarks.instance.Instances;
import dev.spur.benchmarks.instance.Rounds;
import dev.spur.model.check.PlanCheck;
import dev.spur.model.check.Violation;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.round.SolveBudget;
import dev.spur.model.round.StepTime;
import dev.spur.solver.policy.Policies;
import dev.spur.solver.policy.Policy;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Rounds of growing size with every kind of constraint: how long from snapshot to checked plan, and how close to the bound. */
final class LadderBenchmark implements Benchmark {
    private static final long SEED = 1;

    /**
     * A rung.
     *
     * @param wholeProgram true if CP-SAT alone is asked as well
     * @param runs how often it is measured; the median counts
     */
    private record Rung(int jobs, int slots, boolean wholeProgram, int runs) {}

    private static final List<Rung> RUNGS = List.of(
            new Rung(64, 64, true, 5),
            new Rung(200, 512, true, 5),
            new Rung(1000, 2048, true, 1),
            new Rung(5120, 2048, false, 1),
            new Rung(4000, 10_000, false, 1),
            new Rung(10_000, 40_000, false, 1));

    @Override
    public String name() {
        return "ladder";
    }

    @Override
    public String summary() {
        return "generated rounds from 64 jobs on 64 slots to 10,000 on 40,000, bare and with every constraint";
    }

    @Override
    public Table measure() {
        List<List<String>> rows = new ArrayList<>();
        for (Rung rung : RUNGS) {
            for (boolean bare : new boolean[] {true, false}) {
                Set<Feature> features = bare ? EnumSet.noneOf(Feature.class) : EnumSet.allOf(Feature.class);
                RoundProblem problem = problem(rung, features);
                String program = bare ? "bare" : "full";
                rows.add(row(rung, program, "core", Policies.spur(), problem));
                if (rung.wholeProgram()) {
                    rows.add(row(rung, program, "cpsat", Policies.cpSat(), problem));
                }
            }
        }
        return new Table(
                List.of(
                        "jobs",
                        "slots",
                        "program",
                        "candidates",
                        "method",
                        "seconds",
                        "gap_percent",
                        "improvement_percent",
                        "peak_mib",
                        "steps_ms"),
                rows);
    }

    /** A round in which, with restarts among the features, four fifths of the jobs hold what an earlier round gave them. */
    static RoundProblem problem(int jobs, int slots, Set<Feature> features) {
        RoundSettings settings = RoundSettings.DEFAULT.withEffort(1e-4, new SolveBudget(20, 20, 1, 1));
        RoundProblem waiting = Instances.waiting(SEED, jobs, slots, features, settings);
        if (!features.contains(Feature.RESTARTS)) {
            return waiting;
        }
        List<Job> early = waiting.jobs().subList(0, jobs * 4 / 5);
        RoundPlan before = Policies.spur()
                .plan(waiting.withJobs(early).withSettings(settings.withEffort(1e-2, new SolveBudget(5, 60, 1, 1))));
        return Rounds.later(waiting, before, 300, waiting.jobs());
    }

    private static RoundProblem problem(Rung rung, Set<Feature> features) {
        return problem(rung.jobs(), rung.slots(), features);
    }

    private static List<String> row(Rung rung, String program, String method, Policy policy, RoundProblem problem) {
        List<Double> seconds = new ArrayList<>();
        RoundPlan plan = policy.plan(problem);
        resetPeaks();
        for (int run = 0; run < rung.runs(); run++) {
            long start = System.nanoTime();
            plan = policy.plan(problem);
            List<Violation> violations = PlanCheck.violations(problem, plan);
            seconds.add((System.nanoTime() - start) / 1e9);
            if (!violations.isEmpty()) {
                throw new IllegalStateException(
                        "the judge refuses: " + violations.subList(0, Math.min(3, violations.size())));
            }
        }
        StringBuilder steps = new StringBuilder();
        for (StepTime step : plan.figures().steps()) {
            steps.append(format("%s %.0f ", step.step(), step.milliseconds()));
        }
        return List.of(
                Integer.toString(problem.jobs().size()),
                Integer.toString(
                        problem.nodes().stream().mapToInt(node -> node.slots()).sum()),
                program,
                Integer.toString(plan.figures().candidates()),
                method,
                format(
                        "%.3f",
                        seconds.stream()
                                .sorted()
                                .skip(seconds.size() / 2)
                                .findFirst()
                                .orElse(0.0)),
                format("%.4f", 100 * plan.proof().gap()),
                format("%.1f", 100 * plan.proof().improvement()),
                Long.toString(peakMib()),
                steps.toString().strip());
    }

    private static void resetPeaks() {
        ManagementFactory.getMemoryPoolMXBeans().forEach(MemoryPoolMXBean::resetPeakUsage);
    }

    /** Largest use of the Java heap since the last reset, MiB; garbage not yet collected included. */
    private static long peakMib() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                        .mapToLong(pool -> pool.getPeakUsage().getUsed())
                        .sum()
                >> 20;
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
