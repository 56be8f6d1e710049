package dev.spur.benchmarks;

import dev.spur.benchmarks.aggregation.InitialBatchPolicy;
import dev.spur.benchmarks.aggregation.SequentialPolicy;
import dev.spur.benchmarks.aggregation.ServerCores;
import dev.spur.benchmarks.aggregation.ServerWorkload;
import dev.spur.benchmarks.aggregation.SharingComparison;
import dev.spur.benchmarks.models.StepMeasurements;
import dev.spur.model.aggregation.AggregationSettings;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.round.SolveBudget;
import dev.spur.policies.PolicyRegistry;
import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.cluster.NodeKind;
import dev.spur.simulator.replay.ProgressListener;
import dev.spur.simulator.replay.ReplaySettings;
import dev.spur.simulator.replay.Replayer;
import dev.spur.simulator.report.ResultTable;
import dev.spur.simulator.report.Summary;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.parsing.DataFolder;
import dev.spur.solver.policy.Policies;
import dev.spur.solver.policy.Policy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Option;

/**
 * Benchmark of joint optimization: slots, parameter servers and batch sizes decided in one program, against sequential
 * decisions and marginal gains.
 */
final class AggregationBenchmark implements Benchmark {
    private static final List<String> HEADER = List.of(
            "aggregation_slots_per_node",
            "policy",
            "traces",
            "mean_jct_min",
            "against_optimus_percent",
            "p99_jct_min",
            "queueing_min",
            "makespan_min",
            "gpu_hours",
            "restarts_per_job",
            "decision_ms");
    private static final String BASELINE = "optimus";
    private static final double MINUTE = 60;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            defaultValue = "60",
            description = "Number of jobs per trace (${DEFAULT-VALUE}).")
    private int jobs;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            defaultValue = "96",
            description = "Number of nodes (${DEFAULT-VALUE}).")
    private int nodes;

    @Option(names = "--slots", paramLabel = "N", defaultValue = "2", description = "Slots per node (${DEFAULT-VALUE}).")
    private int slots;

    @Option(
            names = "--aggregation",
            paramLabel = "N",
            split = ",",
            defaultValue = "0.25,0.5,1,2",
            description = "Aggregation slots per node; one section of the table for each (${DEFAULT-VALUE}).")
    private List<Double> aggregation = List.of();

    @Option(
            names = "--pause",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "Mean interarrival time (${DEFAULT-VALUE}).")
    private double pause;

    @Option(
            names = "--lengths",
            paramLabel = "SECONDS",
            split = ",",
            defaultValue = "14400,345600",
            description = "Shortest and longest job length on one worker and one server (${DEFAULT-VALUE}).")
    private List<Double> lengths = List.of();

    @Option(
            names = "--round",
            paramLabel = "SECONDS",
            defaultValue = "600",
            description = "Round interval of all policies; Optimus uses 600 (${DEFAULT-VALUE}).")
    private double round;

    @Option(
            names = "--batches",
            paramLabel = "MULTIPLE",
            split = ",",
            defaultValue = "1,2,4,8",
            description =
                    "Allowed batch sizes as multiples of the measured one; steps at factors other than 1 are derived (${DEFAULT-VALUE}).")
    private List<Double> batches = List.of();

    @Option(
            names = "--noise",
            paramLabel = "MULTIPLE",
            defaultValue = "4",
            description =
                    "Gradient noise scale of all jobs as a multiple of the measured batch size; assumed (${DEFAULT-VALUE}).")
    private double noise;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "3",
            description = "Number of traces (${DEFAULT-VALUE}).")
    private int seeds;

    @Option(
            names = "--sharing",
            description =
                    "Compare dedicated and shared aggregators instead, on nodes with as many CPUs as aggregation slots.")
    private boolean sharing;

    @Override
    public String name() {
        return "aggregation";
    }

    @Override
    public String summary() {
        return "joint, sequential and marginal-gain decisions on slots, parameter servers and batch sizes (needs SPUR_DATA)";
    }

    @Override
    public ResultTable measure() throws IOException {
        Path data = DataFolder.require();
        if (lengths.size() != 2) {
            throw new IllegalArgumentException(
                    "--lengths requires two numbers: the shortest and the longest job length");
        }
        List<StepMeasurements> models = StepMeasurements.read(data.resolve("profiles")).stream()
                .filter(model -> model.source() == StepMeasurements.Source.PARAMETER_SERVER)
                .toList();
        if (sharing) {
            Path table = data.resolve("profiles").resolve("parameter-server").resolve("config_speed.txt");
            return new SharingComparison(
                            models,
                            ServerCores.gradientBytes(table, AggregationSettings.DEFAULT.bytesPerSecond()),
                            workload(),
                            nodes,
                            slots,
                            seeds,
                            settings())
                    .table(aggregation);
        }
        List<List<String>> rows = new ArrayList<>();
        for (double servers : aggregation) {
            rows.addAll(rows(models, servers));
        }
        return new ResultTable(HEADER, rows);
    }

    private ServerWorkload workload() {
        return new ServerWorkload(jobs, pause, lengths.get(0), lengths.get(1), batches, noise);
    }

    private List<List<String>> rows(List<StepMeasurements> models, double servers) {
        ServerWorkload workload = workload();
        ClusterFile cluster = new ClusterFile(List.of(
                new NodeKind(ServerWorkload.TYPE, nodes, slots, null, null, null, servers, null, null, null, null)));
        List<List<String>> rows = new ArrayList<>();
        double baseline = 0;
        for (Policy policy : List.of(
                PolicyRegistry.policy(BASELINE).orElseThrow(),
                new SequentialPolicy(new InitialBatchPolicy(Policies.spur())),
                new InitialBatchPolicy(Policies.spur()),
                new SequentialPolicy(Policies.spur()),
                Policies.spur())) {
            List<Summary> replays = new ArrayList<>();
            for (long seed = 1; seed <= seeds; seed++) {
                replays.add(replay(workload.trace(models, seed), cluster, policy, seed));
            }
            double jct = mean(replays, Summary::meanJctSeconds);
            baseline = policy.name().equals(BASELINE) ? jct : baseline;
            rows.add(row(servers, policy, replays, 100 * (jct / baseline - 1)));
        }
        return rows;
    }

    private Summary replay(Trace trace, ClusterFile cluster, Policy policy, long seed) {
        return Summary.of(Replayer.replay(trace, cluster, policy, settings().withSeed(seed), ProgressListener.NONE));
    }

    private ReplaySettings settings() {
        // limited by work, not by wall-clock time, so that every machine finds the same plans
        RoundSettings planning = RoundSettings.DEFAULT.withEffort(0.005, new SolveBudget(0.1, 600, 1, 1));
        return ReplaySettings.DEFAULT.withPlanning(planning).withRounds(round, null);
    }

    private static List<String> row(double servers, Policy policy, List<Summary> replays, double against) {
        return List.of(
                text("%.2f", servers),
                policy.name(),
                Integer.toString(replays.size()),
                text("%.1f", mean(replays, Summary::meanJctSeconds) / MINUTE),
                text("%+.1f", against),
                text("%.1f", mean(replays, Summary::p99JctSeconds) / MINUTE),
                text("%.1f", mean(replays, Summary::meanQueueingSeconds) / MINUTE),
                text("%.1f", mean(replays, Summary::makespanSeconds) / MINUTE),
                text("%.0f", mean(replays, Summary::gpuHours)),
                text("%.2f", mean(replays, Summary::restartsPerJob)),
                text("%.0f", 1000 * mean(replays, Summary::meanDecisionSeconds)));
    }

    private static double mean(List<Summary> replays, ToDoubleFunction<Summary> figure) {
        return replays.stream().mapToDouble(figure).average().orElse(0);
    }

    private static String text(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
