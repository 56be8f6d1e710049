package dev.spur.benchmarks;

import dev.spur.benchmarks.aggregation.SharedReplay;
import dev.spur.benchmarks.aggregation.SharedReplay.Outcome;
import dev.spur.simulator.report.ResultTable;
import dev.spur.solver.aggregation.SharingLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import picocli.CommandLine.Option;

/** Benchmark of shared aggregation slots: slots needed as a function of the stall fraction that each job may lose. */
final class SharingBenchmark implements Benchmark {
    private static final List<String> HEADER = List.of(
            "busy_percent",
            "stall_limit_percent",
            "mean_limit_percent",
            "delay",
            "own_slots",
            "lower_bound",
            "used_slots",
            "over_bound_percent",
            "saved_percent",
            "mean_stall_percent",
            "worst_stall_percent",
            "moves_per_hour",
            "overloaded_percent");

    @Option(
            names = "--busy",
            paramLabel = "SHARE",
            split = ",",
            defaultValue = "0.1,0.2,0.4",
            description = "Mean fraction of time that a dedicated slot is busy (${DEFAULT-VALUE}).")
    private List<Double> busy = List.of();

    @Option(
            names = "--max-stall",
            paramLabel = "SHARE",
            split = ",",
            defaultValue = "0.02,0.05,0.1",
            description = "Maximum stall fraction of a job (${DEFAULT-VALUE}).")
    private List<Double> losses = List.of();

    @Option(
            names = "--mean",
            paramLabel = "SHARE",
            defaultValue = "0.05",
            description = "Maximum mean stall fraction of the jobs that share slots (${DEFAULT-VALUE}).")
    private double mean;

    @Option(
            names = "--delay",
            paramLabel = "KIND",
            split = ",",
            defaultValue = "EXPECTED",
            description = "Delay model: EXPECTED or WORST (${DEFAULT-VALUE}).")
    private List<SharingLimits.Delay> delays = List.of();

    @Option(
            names = "--jobs",
            paramLabel = "N",
            defaultValue = "400",
            description = "Number of jobs (${DEFAULT-VALUE}).")
    private int jobs;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "3",
            description = "Number of traces (${DEFAULT-VALUE}).")
    private int seeds;

    @Override
    public String name() {
        return "sharing";
    }

    @Override
    public String summary() {
        return "shared aggregation slots compared with dedicated slots and with the lower bound";
    }

    @Override
    public ResultTable measure() {
        List<List<String>> rows = new ArrayList<>();
        for (double share : busy) {
            for (SharingLimits.Delay delay : delays) {
                for (double loss : losses) {
                    SharedReplay replay = new SharedReplay(jobs, 120, 7200, share);
                    SharingLimits limits = new SharingLimits(SharingLimits.DEFAULT.utilization(), loss, mean, delay);
                    List<Outcome> outcomes = LongStream.rangeClosed(1, seeds)
                            .mapToObj(seed -> replay.run(limits, seed))
                            .toList();
                    rows.add(row(share, limits, outcomes));
                }
            }
        }
        return new ResultTable(HEADER, rows);
    }

    private static List<String> row(double share, SharingLimits limits, List<Outcome> outcomes) {
        double own = mean(outcomes, Outcome::own);
        double bound = mean(outcomes, Outcome::lowerBound);
        double used = mean(outcomes, Outcome::used);
        return List.of(
                text(100 * share, 0),
                text(100 * limits.maxStallFraction(), 0),
                text(100 * limits.meanStallFraction(), 0),
                limits.delay().name(),
                text(own, 1),
                text(bound, 1),
                text(used, 1),
                text(100 * (used / bound - 1), 1),
                text(100 * (1 - used / own), 1),
                text(100 * mean(outcomes, Outcome::loss), 2),
                text(
                        100
                                * outcomes.stream()
                                        .mapToDouble(Outcome::worstLoss)
                                        .max()
                                        .orElse(0),
                        2),
                text(mean(outcomes, Outcome::movesPerHour), 1),
                text(mean(outcomes, Outcome::overloadedPercent), 2));
    }

    private static double mean(List<Outcome> outcomes, ToDoubleFunction<Outcome> figure) {
        return outcomes.stream().mapToDouble(figure).average().orElse(0);
    }

    private static String text(double value, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }
}
