package dev.spur.benchmarks;

import dev.spur.model.objective.Objective;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.round.RoundSettings;
import dev.spur.policies.PolicyRegistry;
import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.eta.BacktestSample;
import dev.spur.simulator.eta.Calibration;
import dev.spur.simulator.eta.ForecastSettings;
import dev.spur.simulator.replay.ReplaySettings;
import dev.spur.simulator.replay.RoundSpacing;
import dev.spur.simulator.report.ResultTable;
import dev.spur.simulator.trace.InformationLevel;
import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.format.TraceReaders;
import dev.spur.solver.policy.Policy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Benchmark of predicted start and completion times: replays a trace and compares the ETAs made during the replay with
 * the replayed outcome.
 */
final class EtaBenchmark implements Benchmark {
    private static final List<String> HEADER = List.of(
            "of",
            "ahead",
            "estimates",
            "expected_inside_percent",
            "inside_percent",
            "early_percent",
            "late_percent",
            "median_error_min",
            "median_error_percent",
            "median_width_min");
    private static final double[] AHEAD = {600, 3600, 4 * 3600, Double.MAX_VALUE, Double.POSITIVE_INFINITY};
    private static final List<String> NAMES = List.of("up to 10 min", "up to 1 h", "up to 4 h", "beyond 4 h", "beyond");

    @Option(names = "--trace", required = true, paramLabel = "FILE", description = "Trace file.")
    private Path trace = Path.of("");

    @Option(names = "--format", required = true, paramLabel = "NAME", description = "Format of the trace.")
    private String format = "";

    @Option(names = "--cluster", required = true, paramLabel = "FILE", description = "Cluster file, JSON.")
    private Path cluster = Path.of("");

    @Option(names = "--profiles", paramLabel = "PATH", description = "Measured profiles of the trace's models.")
    private @Nullable Path profiles;

    @Option(
            names = "--knowledge",
            paramLabel = "HOW_MUCH",
            defaultValue = "ORACLE",
            description = "Speed knowledge of the policy and the ETAs: ORACLE or BOOTSTRAP (${DEFAULT-VALUE}).")
    private InformationLevel informationLevel = InformationLevel.ORACLE;

    @Option(
            names = "--policy",
            paramLabel = "NAME",
            defaultValue = "spur",
            description = "Policy of the replay (${DEFAULT-VALUE}).")
    private String policy = "spur";

    @Option(names = "--objective", paramLabel = "KIND", description = "Objective of Spur's own policies.")
    private @Nullable ObjectiveKind objective;

    @Option(
            names = "--every",
            paramLabel = "SECONDS",
            defaultValue = "3600",
            description = "Simulated time between two sets of ETAs (${DEFAULT-VALUE}).")
    private double every;

    @Option(
            names = "--past",
            paramLabel = "SECONDS",
            defaultValue = "14400",
            description = "Length of the window of past arrivals (${DEFAULT-VALUE}).")
    private double past;

    @Option(
            names = "--samples",
            paramLabel = "N",
            defaultValue = "19",
            description = "Simulations for each set of ETAs (${DEFAULT-VALUE}).")
    private int samples;

    @Option(
            names = "--budget",
            paramLabel = "SECONDS",
            defaultValue = "20",
            description = "Wall-clock time limit for each set of ETAs (${DEFAULT-VALUE}).")
    private double budget;

    @Option(
            names = "--greedy-from",
            paramLabel = "JOBS",
            defaultValue = "500",
            description = "Number of jobs from which the simulations use the greedy policy (${DEFAULT-VALUE}).")
    private int greedyFrom;

    @Override
    public String name() {
        return "starts";
    }

    @Override
    public String summary() {
        return "coverage of the 80 % prediction intervals of start and completion times, by replay";
    }

    @Override
    public ResultTable measure() throws IOException {
        Policy chosen = PolicyRegistry.policy(policy)
                .orElseThrow(() -> new IllegalArgumentException("Unknown policy: " + policy));
        ClusterFile nodes = ClusterFile.read(cluster);
        Trace jobs = TraceReaders.of(format)
                .orElseThrow(() -> new IllegalArgumentException("Unknown trace format: " + format))
                .read(trace, new ReadOptions(nodes.allNodes(), informationLevel, profiles, 1));
        RoundSettings planning = objective == null
                ? RoundSettings.DEFAULT
                : RoundSettings.DEFAULT.withObjective(Objective.of(objective));
        ReplaySettings replays = ReplaySettings.DEFAULT.withPlanning(planning);
        double round = replays.roundSeconds();
        ForecastSettings settings =
                new ForecastSettings(samples, 86_400, budget, new RoundSpacing(round, 0.05, round), greedyFrom, 1);
        List<BacktestSample> trials =
                Calibration.of(jobs, nodes, chosen, replays, settings, every, past, System::nanoTime);
        return new ResultTable(HEADER, rows(trials));
    }

    private static List<List<String>> rows(List<BacktestSample> trials) {
        List<List<String>> rows = new ArrayList<>();
        for (boolean ofStart : new boolean[] {true, false}) {
            String of = ofStart ? "start" : "completion";
            List<BacktestSample> all =
                    trials.stream().filter(trial -> trial.ofStart() == ofStart).collect(Collectors.toList());
            double from = Double.NEGATIVE_INFINITY;
            for (int band = 0; band < AHEAD.length; band++) {
                double above = from;
                double upTo = AHEAD[band];
                List<BacktestSample> some = all.stream()
                        .filter(trial -> trial.ahead() > above && trial.ahead() <= upTo)
                        .toList();
                if (!some.isEmpty()) {
                    rows.add(row(of, NAMES.get(band), some));
                }
                from = upTo;
            }
            if (!all.isEmpty()) {
                rows.add(row(of, "all", all));
            }
        }
        return rows;
    }

    private static List<String> row(String of, String ahead, List<BacktestSample> trials) {
        double count = trials.size();
        double inside = trials.stream().filter(BacktestSample::holds).count() / count;
        double early = trials.stream().filter(BacktestSample::early).count() / count;
        return List.of(
                of,
                ahead,
                Integer.toString(trials.size()),
                text(100 * trials.stream().mapToDouble(BacktestSample::coverage).sum() / count),
                text(100 * inside),
                text(100 * early),
                text(100 * Math.max(0, 1 - inside - early)),
                text(median(trials, trial -> trial.error() / 60)),
                text(median(trials, trial -> 100 * trial.error() / Math.max(1, trial.ahead()))),
                text(median(trials, EtaBenchmark::width)));
    }

    private static double width(BacktestSample trial) {
        Double low = trial.band().low();
        Double high = trial.band().high();
        return low == null || high == null ? Double.POSITIVE_INFINITY : (high - low) / 60;
    }

    private static double median(List<BacktestSample> trials, ToDoubleFunction<BacktestSample> value) {
        double[] sorted = trials.stream()
                .mapToDouble(value)
                .filter(number -> !Double.isNaN(number))
                .sorted()
                .toArray();
        return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
    }

    private static String text(double number) {
        return Double.isInfinite(number) || Double.isNaN(number) ? "-" : String.format(Locale.ROOT, "%.1f", number);
    }
}
