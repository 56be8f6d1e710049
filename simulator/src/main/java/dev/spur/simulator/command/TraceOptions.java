package dev.spur.simulator.command;

import dev.spur.model.cluster.Node;
import dev.spur.simulator.trace.InformationLevel;
import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceReader;
import dev.spur.simulator.trace.format.TraceReaders;
import dev.spur.simulator.trace.rigid.ColumnTrace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options of {@code spur simulate} that describe a trace file. */
final class TraceOptions {
    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "Trace file (default: the jobs of the snapshot, which all arrive at the start).")
    private @Nullable Path trace;

    @Option(
            names = "--format",
            paramLabel = "NAME",
            completionCandidates = FormatNames.class,
            description = "Trace format: ${COMPLETION-CANDIDATES}.")
    private @Nullable String format;

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
    private @Nullable String informationLevel;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    /** Returns whether a trace file is given. */
    boolean isGiven() {
        return trace != null;
    }

    /** @throws ParameterException if options describe a trace that is not given */
    void requireTrace() {
        if (trace == null && (format != null || profiles != null || !columns.isEmpty() || informationLevel != null)) {
            throw usageError("--format, --profiles, --columns and --knowledge describe a trace: add --trace.");
        }
    }

    /**
     * Reads the trace file, which must be given.
     *
     * @throws ParameterException if an option has an unknown value
     * @throws IOException if the file cannot be read
     */
    Trace read(List<Node> nodes, long seed) throws IOException {
        return reader().read(
                        Objects.requireNonNull(trace),
                        new ReadOptions(nodes, informationLevel(), profiles, seed, columns()));
    }

    @Nullable
    Path profiles() {
        return profiles;
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

    private TraceReader reader() {
        String name = format;
        if (name == null) {
            throw usageError("--format is required with --trace.");
        }
        return TraceReaders.of(name)
                .orElseThrow(() -> usageError("There is no format %s, but: %s."
                        .formatted(
                                name,
                                TraceReaders.all().stream()
                                        .map(TraceReader::format)
                                        .collect(Collectors.joining(", ")))));
    }

    /** @throws ParameterException if the level is unknown */
    InformationLevel informationLevel() {
        if (informationLevel == null) {
            return InformationLevel.ORACLE;
        }
        try {
            return InformationLevel.valueOf(informationLevel.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException exception) {
            throw usageError("There is no knowledge %s, but: oracle, bootstrap, predicted, profiled."
                    .formatted(informationLevel));
        }
    }

    private ParameterException usageError(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** Names of all trace formats. */
    private static final class FormatNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return TraceReaders.all().stream().map(TraceReader::format).iterator();
        }
    }
}
