package dev.spur.benchmarks;

import dev.spur.simulator.dataprep.LendingPolicy;
import dev.spur.simulator.dataprep.MemoryReplay;
import dev.spur.simulator.dataprep.MemoryReplay.Outcome;
import dev.spur.simulator.dataprep.MemoryWorkload;
import dev.spur.simulator.report.ResultTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import picocli.CommandLine.Option;

/** Benchmark of remote memory for data preparations: planned lending, the power of two choices and no lending. */
final class MemoryBenchmark implements Benchmark {
    private static final List<String> HEADER = List.of(
            "memory",
            "load",
            "lending",
            "work_hours",
            "against_none_percent",
            "done",
            "completion_min",
            "slowdown",
            "utilization_percent",
            "revoked_gib_per_hour",
            "decisions",
            "below_headroom",
            "gap_percent");
    private static final double HOUR = 3600;

    @Option(
            names = "--load",
            paramLabel = "SHARE",
            split = ",",
            defaultValue = "0.4,0.7,1",
            description =
                    "Offered working sets as a fraction of the memory that nodes do not use themselves (${DEFAULT-VALUE}).")
    private List<Double> loads = List.of();

    @Option(
            names = "--nodes",
            paramLabel = "N",
            defaultValue = "16",
            description = "Number of nodes (${DEFAULT-VALUE}).")
    private int nodes;

    @Option(
            names = "--memory",
            paramLabel = "GIB",
            defaultValue = "128",
            description = "Memory per node, GiB (${DEFAULT-VALUE}).")
    private double memory;

    @Option(
            names = "--own",
            paramLabel = "SHARE",
            defaultValue = "0.4",
            description = "Mean fraction of the memory that nodes use themselves (${DEFAULT-VALUE}).")
    private double own;

    @Option(
            names = "--hours",
            paramLabel = "N",
            defaultValue = "8",
            description = "Simulated hours (${DEFAULT-VALUE}).")
    private double hours;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "3",
            description = "Number of replays (${DEFAULT-VALUE}).")
    private int seeds;

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public String summary() {
        return "data preparations with planned lending of memory, with the power of two choices, and without lending";
    }

    @Override
    public ResultTable measure() {
        List<List<String>> rows = new ArrayList<>();
        for (boolean uneven : List.of(false, true)) {
            for (double load : loads) {
                MemoryWorkload workload = new MemoryWorkload(nodes, memory, own, uneven, load, hours * HOUR);
                double none = 0;
                for (LendingPolicy lending :
                        List.of(LendingPolicy.NONE, LendingPolicy.TWO_CHOICES, LendingPolicy.PLAN)) {
                    List<Outcome> outcomes = LongStream.rangeClosed(1, seeds)
                            .mapToObj(seed -> MemoryReplay.run(workload, lending, seed))
                            .toList();
                    none = lending == LendingPolicy.NONE ? mean(outcomes, Outcome::workHours) : none;
                    rows.add(row(workload, lending, outcomes, none));
                }
            }
        }
        return new ResultTable(HEADER, rows);
    }

    private static List<String> row(
            MemoryWorkload workload, LendingPolicy lending, List<Outcome> outcomes, double none) {
        return List.of(
                workload.uneven() ? "uneven" : "even",
                text("%.1f", workload.load()),
                lending.name(),
                text("%.1f", mean(outcomes, Outcome::workHours)),
                text("%+.1f", 100 * (mean(outcomes, Outcome::workHours) / none - 1)),
                text("%.1f", mean(outcomes, Outcome::done)),
                text("%.1f", mean(outcomes, Outcome::meanCompletionSeconds) / 60),
                text("%.2f", mean(outcomes, Outcome::meanSlowDown)),
                text("%.1f", 100 * mean(outcomes, Outcome::utilization)),
                text("%.1f", mean(outcomes, Outcome::revokedGiBPerHour)),
                Long.toString(outcomes.stream().mapToLong(Outcome::decisions).sum()),
                Long.toString(
                        outcomes.stream().mapToLong(Outcome::belowHeadroom).sum()),
                lending == LendingPolicy.TWO_CHOICES ? "-" : text("%.2f", 100 * mean(outcomes, Outcome::meanGap)));
    }

    private static double mean(List<Outcome> outcomes, ToDoubleFunction<Outcome> figure) {
        return outcomes.stream().mapToDouble(figure).average().orElse(0);
    }

    private static String text(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
