package dev.spur.simulator.command;

import dev.spur.model.cluster.Node;
import dev.spur.model.objective.Objective;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.round.RoundSettings;
import dev.spur.policies.PolicyEntry;
import dev.spur.policies.PolicyRegistry;
import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.replay.ClusterConfig;
import dev.spur.simulator.replay.NodeFailures;
import dev.spur.simulator.replay.ProgressListener;
import dev.spur.simulator.replay.Replay;
import dev.spur.simulator.replay.ReplayFailure;
import dev.spur.simulator.replay.ReplaySettings;
import dev.spur.simulator.replay.Replayer;
import dev.spur.simulator.report.FinishedReplays;
import dev.spur.simulator.report.HtmlReport;
import dev.spur.simulator.report.ProgressBar;
import dev.spur.simulator.report.ResultFiles;
import dev.spur.simulator.report.ResultTable;
import dev.spur.simulator.report.Summary;
import dev.spur.simulator.report.SummaryTable;
import dev.spur.simulator.trace.ChangeCostEdit;
import dev.spur.simulator.trace.Trace;
import dev.spur.solver.policy.Policy;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code spur simulate}: replays a trace, or the jobs of a snapshot, under policies. The exit code is 2 for an invalid
 * file, 1 for an unknown policy.
 */
@Command(
        name = "simulate",
        description =
                "Replay a trace, or the jobs of a snapshot, under one or more policies, and print a row for each.",
        mixinStandardHelpOptions = true)
public final class SimulateCommand implements Callable<Integer> {
    private static final int FINE = 0;
    private static final int BAD_POLICY = 1;
    private static final int BAD_FILE = 2;
    /** Number of jobs from which the plan validator checks only one round in {@link #SELDOM}. */
    private static final int LONG_TRACE = 5000;

    private static final int SELDOM = 100;

    @Mixin
    private TraceOptions traceOptions = new TraceOptions();

    @Option(
            names = "--policy",
            required = true,
            split = ",",
            paramLabel = "NAME",
            completionCandidates = PolicyNames.class,
            description = "Policies, separated by commas: ${COMPLETION-CANDIDATES}.")
    private List<String> policies = List.of();

    @Option(
            names = "--cluster",
            paramLabel = "FILE",
            description = "Cluster file (JSON; default: the nodes of the snapshot).")
    private @Nullable Path cluster;

    @Option(
            names = "--snapshot",
            paramLabel = "FILE",
            description = "Snapshot of a round, from GET /api/v1/rounds/{number}/snapshot; its settings apply.")
    private @Nullable Path snapshot;

    @Option(names = "--round", paramLabel = "SECONDS", description = "Time between rounds (default: ${DEFAULT-VALUE}).")
    private double round = ReplaySettings.DEFAULT.roundSeconds();

    @Option(
            names = "--early",
            paramLabel = "SECONDS",
            description =
                    "Run a round after each arrival and end, with this delay; 0 for at once. Without the option, rounds are periodic only.")
    private @Nullable Double early;

    @Option(
            names = "--rescale-share",
            paramLabel = "SHARE",
            description =
                    "Jobs change the number of their slots while they run, with this share of the stall of a restart (default: as the trace states).")
    private @Nullable Double rescaleShare;

    @Option(
            names = "--migrate-share",
            paramLabel = "SHARE",
            description =
                    "Jobs move to other slots while they run, with this share of the stall of a restart (default: as the trace states).")
    private @Nullable Double migrateShare;

    @Option(
            names = "--objective",
            paramLabel = "KIND",
            description = "Objective of Spur's own policies (default: that of the snapshot, or of a new installation).")
    private @Nullable ObjectiveKind objective;

    @Option(
            names = "--gap",
            paramLabel = "SHARE",
            description =
                    "Optimality gap at which Spur's own policies may stop (default: that of the snapshot, or 0.002).")
    private @Nullable Double gap;

    @Option(
            names = "--node-failures",
            paramLabel = "HOURS",
            description = "Mean time to failure of a node in hours (default: no failures).")
    private @Nullable Double failureHours;

    @Option(
            names = "--repair",
            paramLabel = "SECONDS",
            description = "Repair time of a failed node (default: ${DEFAULT-VALUE}).")
    private double repair = 3600;

    @Option(
            names = "--checkpoint",
            paramLabel = "SECONDS",
            description =
                    "Time between two checkpoints of a job, seconds; a failure loses the progress since the last one (default: ${DEFAULT-VALUE}).")
    private double checkpoint = ReplaySettings.DEFAULT.checkpointSeconds();

    @Option(
            names = "--check-every",
            paramLabel = "ROUNDS",
            description = "Validate one of N decisions (default: each; one of 100 beyond 5,000 jobs).")
    private @Nullable Integer checkEvery;

    @Option(names = "--seed", paramLabel = "N", description = "Random seed (default: ${DEFAULT-VALUE}).")
    private long seed = ReplaySettings.DEFAULT.seed();

    @Option(names = "--tsv", description = "Print the table as tab-separated values with a header.")
    private boolean tsv;

    @Option(names = "--quiet", description = "Show no progress bar.")
    private boolean quiet;

    @Option(names = "--report", paramLabel = "FILE.html", description = "Write an HTML report with plots.")
    private @Nullable Path report;

    @Option(
            names = "--csv",
            paramLabel = "FOLDER",
            description = "Write policies, jobs, rounds and allocation intervals as CSV.")
    private @Nullable Path csv;

    @Option(names = "--json", paramLabel = "FILE", description = "Write summaries, jobs and rounds as JSON.")
    private @Nullable Path json;

    @Option(
            names = "--resume",
            paramLabel = "FILE",
            description = "File with the rows of finished policies, which are not replayed again; table output only.")
    private @Nullable Path resume;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        try {
            List<Policy> chosen = policies.stream().map(this::policy).toList();
            ReplayInput input = input();
            printMessage(input.trace().description());
            if (resume != null) {
                print(SummaryTable.of(resume(resume, input, chosen)));
                return FINE;
            }
            List<Replay> replays = new ArrayList<>();
            for (Policy policy : chosen) {
                replays.add(replay(input, policy));
            }
            write(replays, input.settings());
            return FINE;
        } catch (NoSuchFileException exception) {
            printMessage("There is no file %s.".formatted(exception.getMessage()));
            return BAD_FILE;
        } catch (IOException exception) {
            printMessage(String.valueOf(exception.getMessage()));
            return BAD_FILE;
        } catch (ReplayFailure failure) {
            printMessage(String.valueOf(failure.getMessage()));
            return BAD_POLICY;
        }
    }

    /**
     * Input of the replays of all policies.
     *
     * @param snapshot text of the snapshot; empty without one
     */
    private record ReplayInput(Trace trace, ClusterConfig cluster, ReplaySettings settings, String snapshot) {}

    private ReplayInput input() throws IOException {
        traceOptions.requireTrace();
        if (snapshot == null && (!traceOptions.isGiven() || cluster == null)) {
            throw usageError("--trace and --cluster are required without --snapshot.");
        }
        SnapshotInput state = snapshot == null ? null : SnapshotInput.read(snapshot);
        ClusterFile described = cluster == null ? null : ClusterFile.read(cluster);
        List<Node> nodes = described == null ? Objects.requireNonNull(state).nodes() : described.allNodes();
        Trace jobs = withChangeCosts(
                traceOptions.isGiven()
                        ? traceOptions.read(nodes, seed)
                        : Objects.requireNonNull(state).trace());
        return new ReplayInput(
                jobs, cluster(described, state, jobs), settings(jobs, state), state == null ? "" : state.json());
    }

    private ClusterConfig cluster(@Nullable ClusterFile described, @Nullable SnapshotInput state, Trace jobs) {
        if (described != null) {
            return ClusterConfig.of(described, jobs);
        }
        ClusterConfig live = Objects.requireNonNull(state).cluster();
        return traceOptions.isGiven() ? live.withTenantsOf(jobs) : live;
    }

    private Trace withChangeCosts(Trace trace) {
        if (rescaleShare == null && migrateShare == null) {
            return trace;
        }
        try {
            return ChangeCostEdit.whileRunning(trace, rescaleShare, migrateShare);
        } catch (IllegalArgumentException exception) {
            throw usageError("--rescale-share and --migrate-share must be at least 0.");
        }
    }

    /** Reads the rows of finished policies; the others are replayed and stored. */
    private List<Summary> resume(Path file, ReplayInput input, List<Policy> chosen) throws IOException {
        if (csv != null || json != null || report != null) {
            throw usageError("--resume keeps rows of the table only: leave out --csv, --json and --report.");
        }
        FinishedReplays finished = FinishedReplays.in(file);
        String all = "%s %s %s %s %s %s %s"
                .formatted(
                        input.cluster(),
                        input.settings(),
                        traceOptions.informationLevel(),
                        traceOptions.profiles(),
                        input.trace().fingerprint(),
                        rescaleShare,
                        migrateShare);
        List<Summary> rows = new ArrayList<>();
        for (Policy policy : chosen) {
            String key = FinishedReplays.key(policy.name(), all, input.snapshot());
            if (finished.find(key).isEmpty()) {
                finished.add(key, Summary.of(replay(input, policy)));
            }
            Summary row = finished.find(key).orElseThrow();
            ClockWarning.of(row, input.settings()).ifPresent(this::printMessage);
            rows.add(row);
        }
        return rows;
    }

    private Replay replay(ReplayInput input, Policy policy) {
        try (ProgressBar bar = new ProgressBar(spec.commandLine().getErr(), policy.name(), System::nanoTime)) {
            return Replayer.replay(
                    input.trace(), input.cluster(), policy, input.settings(), quiet ? ProgressListener.NONE : bar);
        }
    }

    private ReplaySettings settings(Trace jobs, @Nullable SnapshotInput state) {
        ReplaySettings base = ReplaySettings.DEFAULT.withSeed(seed);
        if (state != null) {
            base = base.withServicePlanning(state.settings());
        }
        RoundSettings settings = base.settings();
        if (objective != null) {
            settings = settings.withObjective(Objective.of(objective));
        }
        if (gap != null) {
            settings = settings.withEffort(gap, settings.budget());
        }
        int seldom = jobs.jobs().size() > LONG_TRACE ? SELDOM : 1;
        return base.withPlanning(settings)
                .withRounds(round, early)
                .withFailures(failureHours == null ? null : new NodeFailures(failureHours * 3600, repair), checkpoint)
                .withCheckEvery(checkEvery == null ? seldom : checkEvery);
    }

    private void write(List<Replay> replays, ReplaySettings settings) throws IOException {
        print(SummaryTable.of(replays.stream().map(Summary::of).toList()));
        for (Replay replay : replays) {
            Summary row = Summary.of(replay);
            printMessage("%s: %,d decisions, %,d of them validated; %,d unfinished jobs, %,d unsatisfiable jobs."
                    .formatted(
                            row.policy(),
                            replay.rounds().size(),
                            replay.validated(),
                            row.unfinished(),
                            row.rejected()));
            ClockWarning.of(row, settings).ifPresent(this::printMessage);
        }
        if (csv != null) {
            ResultFiles.writeCsv(csv, replays);
        }
        if (json != null) {
            ResultFiles.writeJson(json, replays);
        }
        if (report != null) {
            HtmlReport.write(report, replays);
        }
    }

    private void print(ResultTable table) {
        spec.commandLine().getOut().println(tsv ? table.asTsv() : table.asText());
        spec.commandLine().getOut().flush();
    }

    private Policy policy(String name) {
        return PolicyRegistry.policy(name)
                .orElseThrow(() -> usageError("There is no policy %s, but: %s."
                        .formatted(name, names(PolicyRegistry.all(), PolicyEntry::name))));
    }

    private static <T> String names(List<T> all, Function<T, String> name) {
        return all.stream().map(name).collect(Collectors.joining(", "));
    }

    private ParameterException usageError(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private void printMessage(String line) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("spur: " + line);
        err.flush();
    }

    /** Names of all policies. */
    private static final class PolicyNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return PolicyRegistry.all().stream().map(PolicyEntry::name).iterator();
        }
    }
}
