package dev.spur.benchmarks;

import dev.spur.benchmarks.instance.InstanceGenerator;
import dev.spur.benchmarks.scaling.Size;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.validation.PlanCheck;
import dev.spur.simulator.report.ResultTable;
import dev.spur.solver.policy.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import picocli.CommandLine.Option;

/**
 * Benchmark of planning domains. It plans the same cluster as a whole, as two halves in sequence (one replica) and as
 * two halves concurrently (two replicas). Threads of one machine model the replicas, so the replicas share its
 * processors.
 */
final class DomainsBenchmark implements Benchmark {
    private static final long SEED = 1;
    private static final int HALVES = 2;

    @Option(names = "--sizes", split = ",", description = "Sizes as JOBSxSLOTS (default: 1000x2048,5000x10240).")
    private List<String> sizes = List.of("1000x2048", "5000x10240");

    @Override
    public String name() {
        return "domains";
    }

    @Override
    public String summary() {
        return "a cluster planned as one domain, and as two planning domains in sequence and in parallel";
    }

    @Override
    public ResultTable measure() throws Exception {
        List<List<String>> rows = new ArrayList<>();
        ExecutorService replicas = Executors.newFixedThreadPool(HALVES);
        try {
            for (String text : sizes) {
                Size size = Size.parse(text);
                RoundProblem whole =
                        InstanceGenerator.waiting(SEED, size.jobs(), size.slots(), Set.of(), RoundSettings.DEFAULT);
                List<RoundProblem> halves = IntStream.range(0, HALVES)
                        .mapToObj(half -> half(whole, half))
                        .toList();
                // warm-up, so that none of the three measurements includes JIT compilation
                planAll(replicas, halves);
                rows.add(row(size, "one domain", () -> List.of(plan(whole))));
                rows.add(row(
                        size,
                        "two domains, in sequence",
                        () -> halves.stream().map(DomainsBenchmark::plan).toList()));
                rows.add(row(size, "two domains, in parallel", () -> planAll(replicas, halves)));
            }
        } finally {
            replicas.shutdownNow();
        }
        return new ResultTable(List.of("size", "case", "seconds", "objective", "bound", "running"), rows);
    }

    /** Returns the instance with every second node and every second job. */
    private static RoundProblem half(RoundProblem whole, int half) {
        return whole.withNodes(everySecond(whole.nodes(), half)).withJobs(everySecond(whole.jobs(), half));
    }

    private static <T> List<T> everySecond(List<T> all, int first) {
        return IntStream.iterate(first, i -> i < all.size(), i -> i + HALVES)
                .mapToObj(all::get)
                .toList();
    }

    private static RoundPlan plan(RoundProblem problem) {
        RoundPlan plan = Policies.spur().plan(problem);
        if (!PlanCheck.violations(problem, plan).isEmpty()) {
            throw new IllegalStateException("The plan validator rejects a plan");
        }
        return plan;
    }

    private static List<RoundPlan> planAll(ExecutorService replicas, List<RoundProblem> problems) throws Exception {
        List<RoundPlan> plans = new ArrayList<>();
        for (Future<RoundPlan> plan : replicas.invokeAll(problems.stream()
                .map(problem -> (Callable<RoundPlan>) () -> plan(problem))
                .toList())) {
            plans.add(plan.get());
        }
        return plans;
    }

    private static List<String> row(Size size, String name, Callable<List<RoundPlan>> planning) throws Exception {
        long start = System.nanoTime();
        List<RoundPlan> plans = planning.call();
        double seconds = (System.nanoTime() - start) / 1e9;
        return List.of(
                size.toString(),
                name,
                String.format(Locale.ROOT, "%.2f", seconds),
                number(plans.stream()
                        .mapToDouble(plan -> plan.quality().objectiveValue())
                        .sum()),
                number(plans.stream()
                        .mapToDouble(plan -> plan.quality().bestBound())
                        .sum()),
                Integer.toString(
                        plans.stream().mapToInt(plan -> plan.running().size()).sum()));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.6g", value);
    }
}
