package dev.spur.benchmarks;

import dev.spur.benchmarks.audit.MisjudgedSpeeds;
import dev.spur.model.tenant.Quota;
import dev.spur.model.tenant.Tenant;
import dev.spur.simulator.audit.AuditInput;
import dev.spur.simulator.audit.AuditReplay;
import dev.spur.simulator.audit.AuditResult;
import dev.spur.simulator.audit.SelfAudit;
import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.cluster.NodeKind;
import dev.spur.simulator.replay.ClusterConfig;
import dev.spur.simulator.replay.ProgressListener;
import dev.spur.simulator.replay.ReplaySettings;
import dev.spur.simulator.report.ResultTable;
import dev.spur.simulator.trace.InformationLevel;
import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.simulator.trace.TraceReader;
import dev.spur.simulator.trace.format.TraceReaders;
import dev.spur.simulator.trace.synthetic.ArrivalProcess;
import dev.spur.simulator.trace.synthetic.DurationDistribution;
import dev.spur.simulator.trace.synthetic.JobStyle;
import dev.spur.simulator.trace.synthetic.SlotDistribution;
import dev.spur.simulator.trace.synthetic.SyntheticSettings;
import dev.spur.simulator.trace.synthetic.SyntheticTrace;
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
 * Benchmark of the self-audit: regret by cause of a synthetic week, or of a trace with predicted speeds. The synthetic
 * week has two tenants with a quota of half of the slots each, of which they may borrow a quarter more.
 */
final class SelfAuditBenchmark implements Benchmark {
    private static final List<String> HEADER = List.of(
            "replay",
            "mean_jct_h",
            "weighted_mean_jct_h",
            "p99_jct_h",
            "queueing_h",
            "restarts_per_job",
            "lost_h",
            "lost_percent");
    private static final double WEEK = 7 * 86_400;
    private static final double HOUR = 3600;
    private static final List<String> TENANTS = List.of("x", "y");

    @Option(names = "--trace", paramLabel = "FILE", description = "Trace file instead of the synthetic week.")
    private @Nullable Path trace;

    @Option(
            names = "--format",
            paramLabel = "NAME",
            defaultValue = "sia",
            description = "Its format (${DEFAULT-VALUE}).")
    private String format = "sia";

    @Option(names = "--cluster", paramLabel = "FILE", description = "Its cluster file, JSON.")
    private @Nullable Path cluster;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            defaultValue = "800",
            description = "Jobs of the week (${DEFAULT-VALUE}).")
    private int jobs;

    @Option(
            names = "--error",
            paramLabel = "SIGMA",
            defaultValue = "0.1",
            description = "Standard deviation of the logarithm of believed speeds in the week (${DEFAULT-VALUE}).")
    private double error;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of the week (${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--round",
            paramLabel = "SECONDS",
            defaultValue = "300",
            description = "Time between two rounds (${DEFAULT-VALUE}).")
    private double round;

    @Override
    public String name() {
        return "self-audit";
    }

    @Override
    public String summary() {
        return "regret by cause of a replayed week: predictions, restarts, quotas, gap and objective";
    }

    @Override
    public ResultTable measure() throws IOException {
        AuditInput input = trace == null ? weekInput() : fromFile(trace);
        AuditResult result = SelfAudit.run(input, ProgressListener.NONE);
        return new ResultTable(HEADER, rows(result, load(input)));
    }

    /** Returns the slot-seconds on the requested slots that arrive per second and slot of the cluster. */
    private static double load(AuditInput input) {
        double slotSeconds = input.oracleTrace().jobs().stream()
                .mapToDouble(job -> job.requestedSlots() * job.aloneSeconds())
                .sum();
        double last = input.oracleTrace().jobs().stream()
                .mapToDouble(TraceJob::arrival)
                .max()
                .orElse(1);
        int slots =
                input.cluster().nodes().stream().mapToInt(node -> node.slots()).sum();
        return slotSeconds / (last * slots);
    }

    private AuditInput fromFile(Path file) throws IOException {
        Path clusterFile = cluster;
        if (clusterFile == null) {
            throw new IllegalArgumentException("--trace requires --cluster");
        }
        ClusterFile nodes = ClusterFile.read(clusterFile);
        TraceReader reader = TraceReaders.of(format)
                .orElseThrow(() -> new IllegalArgumentException("Unknown trace format: " + format));
        Trace seen = reader.read(file, new ReadOptions(nodes.allNodes(), InformationLevel.PREDICTED, null, seed));
        Trace oracle = reader.read(file, new ReadOptions(nodes.allNodes(), InformationLevel.ORACLE, null, seed));
        return input(seen, oracle, ClusterConfig.of(nodes, seen));
    }

    private AuditInput weekInput() {
        ClusterFile nodes = new ClusterFile(List.of(NodeKind.of("A100", 2, 8)));
        SyntheticSettings settings = new SyntheticSettings(
                jobs, 1, ArrivalProcess.POISSON, SlotDistribution.GAVEL, DurationDistribution.HELIOS, JobStyle.RANGED);
        Trace drawn = SyntheticTrace.generate(settings, nodes.allNodes(), seed);
        double last = drawn.jobs().get(drawn.jobs().size() - 1).arrival();
        List<TraceJob> spread = new ArrayList<>();
        for (int i = 0; i < drawn.jobs().size(); i++) {
            TraceJob job = drawn.jobs().get(i);
            spread.add(new TraceJob(
                    job.id(),
                    job.arrival() * WEEK / last,
                    TENANTS.get(i % TENANTS.size()),
                    null,
                    job.requestedSlots(),
                    job.aloneSeconds(),
                    job.truth(),
                    job.viewModel()));
        }
        Trace oracle = new Trace("week", spread, Map.of());
        Trace seen = MisjudgedSpeeds.of(oracle, error, seed);
        ClusterConfig open = ClusterConfig.of(nodes, oracle);
        int slots = nodes.allNodes().stream().mapToInt(node -> node.slots()).sum();
        Quota quota = new Quota(slots / 2, slots / 4, null);
        List<Tenant> tenants = open.tenants().stream()
                .map(tenant -> TENANTS.contains(tenant.name())
                        ? new Tenant(tenant.name(), tenant.parent(), 1, Map.of("A100", quota))
                        : tenant)
                .toList();
        return input(
                seen,
                oracle,
                new ClusterConfig(
                        open.types(), open.pools(), open.nodes(), List.of(), List.of(), tenants, List.of(), List.of()));
    }

    private AuditInput input(Trace seen, Trace oracle, ClusterConfig config) {
        return new AuditInput(
                seen,
                oracle,
                seen.jobs().stream().map(TraceJob::id).collect(Collectors.toSet()),
                config,
                ReplaySettings.DEFAULT.withRounds(round, null).withCheckEvery(10));
    }

    private static List<List<String>> rows(AuditResult result, double load) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(row(String.format(Locale.ROOT, "as it ran, load %.2f", load), result.baseline(), "-", "-"));
        for (AuditResult.Regret regret : result.regret()) {
            rows.add(row(
                    "without " + regret.cause().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                    regret.without(),
                    number(regret.seconds() / HOUR),
                    number(100 * regret.fraction())));
        }
        List<String> total = new ArrayList<>(List.of("total of " + result.jobs() + " jobs", "-", "-", "-", "-", "-"));
        total.add(number(result.totalSeconds() / HOUR));
        total.add(number(100 * result.totalFraction()));
        rows.add(total);
        for (AuditReplay reference : result.references()) {
            rows.add(row(reference.policy(), reference, "-", "-"));
        }
        return rows;
    }

    private static List<String> row(String name, AuditReplay replay, String lost, String percent) {
        return List.of(
                name,
                number(replay.meanJctSeconds() / HOUR),
                number(replay.weightedMeanJctSeconds() / HOUR),
                number(replay.p99JctSeconds() / HOUR),
                number(replay.meanQueueingSeconds() / HOUR),
                number(replay.restartsPerJob()),
                lost,
                percent);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
