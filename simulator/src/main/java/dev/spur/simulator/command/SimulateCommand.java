package dev.spur.simulator.command;

import dev.spur.model.objective.Objective;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.round.RoundSettings;
import dev.spur.policies.PolicyEntry;
import dev.spur.policies.PolicyRegistry;
import dev.spur.simulator.cluster.ClusterFile;
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
import dev.spur.simulator.trace.InformationLevel;
import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceReader;
import dev.spur.simulator.trace.format.TraceReaders;
import dev.spur.simulator.trace.rigid.ColumnTrace;
import dev.spur.solver.policy.Policy;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code spur simulate}: replays a trace under policies. The exit code is 2 for an invalid file, 1 for an unknown
 * policy.
 */
@Command(
        name = "simulate",
        description = "Replay a trace under one or more policies, and print a row for each.",
        mixinStandardHelpOptions = true)
public final class SimulateCommand implements Callable<Integer> {
    private static final int FINE = 0;
    private static final int BAD_POLICY = 1;
    private static final int BAD_FILE = 2;
    /** Number of jobs from which the plan validator checks only one round in {@link #SELDOM}. */
    private static final int LONG_TRACE = 5000;

    private static final int SELDOM = 100;

    @Option(names = "--trace", required = true, paramLabel = "FILE", description = "Trace file.")
    private Path trace = Path.of("");

    @Option(
            names = "--format",
            required = true,
            paramLabel = "NAME",
            completionCandidates = FormatNames.class,
            description = "Trace format: ${COMPLETION-CANDIDATES}.")
    private String format = "";

    @Option(
            names = "--policy",
            required = true,
            split = ",",
            paramLabel = "NAME",
            completionCandidates = PolicyNames.class,
            description = "Policies, separated by commas: ${COMPLETION-CANDIDATES}.")
    private List<String> policies = List.of();

    @Option(names = "--cluster", required = true, paramLabel = "FILE", description = "Cluster file (JSON).")
    private Path cluster = Path.of("");

    @Option(
            names = "--profiles",
            paramLabel = "PATH",
            description = "Throughput of the trace's models, if it is not in the folder of the trace.")
    private @Nullable Path profiles;

    @Option(
            names = "--columns",
            paramLabel = "VALUE=COLUMN",
            split = ",",
            description = "Columns of a file of the format csv, for example submit=Submitted,gpus=\"GPU count\".")
    private Map<String, String> columns = new LinkedHashMap<>();

    @Option(
            names = "--knowledge",
            paramLabel = "HOW_MUCH",
            description =
                    "Knowledge of the policies about throughput: oracle, bootstrap, predicted or profiled (default: oracle).")
    private String informationLevel = "oracle";

    @Option(names = "--round", paramLabel = "SECONDS", description = "Time between rounds (default: ${DEFAULT-VALUE}).")
    private double round = ReplaySettings.DEFAULT.roundSeconds();

    @Option(
            names = "--early",
            paramLabel = "SECONDS",
            description = "Run a round after each arrival and end, with this delay; 0 for none.")
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
            description = "Objective of Spur's own policies (default: that of a new installation).")
    private @Nullable ObjectiveKind objective;

    @Option(
            names = "--gap",
            paramLabel = "SHARE",
            description = "Optimality gap at which Spur's own policies may stop (default: 0.002).")
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
            ClusterFile nodes = ClusterFile.read(cluster);
            Trace jobs = withChangeCosts(reader().read(
                            trace, new ReadOptions(nodes.allNodes(), informationLevel(), profiles, seed, columns())));
            printMessage(jobs.description());
            if (resume != null) {
                print(SummaryTable.of(resume(resume, jobs, nodes, chosen)));
                return FINE;
            }
            List<Replay> replays = new ArrayList<>();
            for (Policy policy : chosen) {
                replays.add(replay(jobs, nodes, policy));
            }
            write(replays, settings(jobs));
            return FINE;
        } catch (NoSuchFileException missing) {
            printMessage("There is no file %s.".formatted(missing.getMessage()));
            return BAD_FILE;
        } catch (IOException unreadable) {
            printMessage(String.valueOf(unreadable.getMessage()));
            return BAD_FILE;
        } catch (ReplayFailure wrong) {
            printMessage(String.valueOf(wrong.getMessage()));
            return BAD_POLICY;
        }
    }

    private Map<String, String> columns() {
        for (String value : columns.keySet()) {
            if (!ColumnTrace.VALUES.contains(value)) {
                throw usageError("--columns names %s; a job has the values %s."
                        .formatted(value, String.join(", ", new TreeSet<>(ColumnTrace.VALUES))));
            }
        }
        return columns;
    }

    private Trace withChangeCosts(Trace read) {
        if (rescaleShare == null && migrateShare == null) {
            return read;
        }
        try {
            return ChangeCostEdit.whileRunning(read, rescaleShare, migrateShare);
        } catch (IllegalArgumentException negative) {
            throw usageError("--rescale-share and --migrate-share must be at least 0.");
        }
    }

    /** Reads the rows of finished policies; the others are replayed and stored. */
    private List<Summary> resume(Path file, Trace jobs, ClusterFile nodes, List<Policy> chosen) throws IOException {
        if (csv != null || json != null || report != null) {
            throw usageError("--resume keeps rows of the table only: leave out --csv, --json and --report.");
        }
        FinishedReplays finished = FinishedReplays.in(file);
        String all = "%s %s %s %s %s %s %s"
                .formatted(
                        nodes,
                        settings(jobs),
                        informationLevel,
                        profiles,
                        jobs.fingerprint(),
                        rescaleShare,
                        migrateShare);
        List<Summary> rows = new ArrayList<>();
        for (Policy policy : chosen) {
            String key = FinishedReplays.key(policy.name(), all);
            if (finished.find(key).isEmpty()) {
                finished.add(key, Summary.of(replay(jobs, nodes, policy)));
            }
            Summary row = finished.find(key).orElseThrow();
            ClockWarning.of(row, settings(jobs)).ifPresent(this::printMessage);
            rows.add(row);
        }
        return rows;
    }

    private Replay replay(Trace jobs, ClusterFile nodes, Policy policy) {
        ReplaySettings settings = settings(jobs);
        try (ProgressBar bar = new ProgressBar(spec.commandLine().getErr(), policy.name(), System::nanoTime)) {
            return Replayer.replay(jobs, nodes, policy, settings, quiet ? ProgressListener.NONE : bar);
        }
    }

    private ReplaySettings settings(Trace jobs) {
        RoundSettings planning = ReplaySettings.DEFAULT.planning();
        if (objective != null) {
            planning = planning.withObjective(Objective.of(objective));
        }
        if (gap != null) {
            planning = planning.withEffort(gap, planning.budget());
        }
        int seldom = jobs.jobs().size() > LONG_TRACE ? SELDOM : 1;
        return ReplaySettings.DEFAULT
                .withPlanning(planning)
                .withRounds(round, early)
                .withFailures(failureHours == null ? null : new NodeFailures(failureHours * 3600, repair), checkpoint)
                .withCheckEvery(checkEvery == null ? seldom : checkEvery)
                .withSeed(seed);
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

    private TraceReader reader() {
        return TraceReaders.of(format)
                .orElseThrow(() -> usageError("There is no format %s, but: %s."
                        .formatted(format, names(TraceReaders.all(), TraceReader::format))));
    }

    private Policy policy(String name) {
        return PolicyRegistry.policy(name)
                .orElseThrow(() -> usageError("There is no policy %s, but: %s."
                        .formatted(name, names(PolicyRegistry.all(), PolicyEntry::name))));
    }

    private static <T> String names(List<T> all, Function<T, String> name) {
        return all.stream().map(name).collect(Collectors.joining(", "));
    }

    private InformationLevel informationLevel() {
        try {
            return InformationLevel.valueOf(informationLevel.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            throw usageError("There is no knowledge %s, but: oracle, bootstrap, predicted, profiled."
                    .formatted(informationLevel));
        }
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

    /** Names of all trace formats. */
    private static final class FormatNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return TraceReaders.all().stream().map(TraceReader::format).iterator();
        }
    }
}
