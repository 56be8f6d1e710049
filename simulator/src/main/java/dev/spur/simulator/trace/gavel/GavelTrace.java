package dev.spur.simulator.trace.gavel;

import dev.spur.model.cluster.Node;
import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.simulator.trace.TraceReader;
import dev.spur.simulator.trace.parsing.DelimitedTable;
import dev.spur.simulator.trace.parsing.Row;
import dev.spur.simulator.trace.parsing.SkipCounter;
import dev.spur.simulator.trace.parsing.TraceFileLocator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Reader of Gavel and Shockwave traces, in columns separated by tabs. Gavel has ten columns; Shockwave adds a mode
 * before the weight and a duration before the arrival. Speeds come from a throughput table. As in these simulators,
 * placement has no effect, and a start takes 0 s in Gavel and 20 s in Shockwave. Sources: Narayanan et al., OSDI '20;
 * Zheng et al., NSDI '23.
 */
public final class GavelTrace implements TraceReader {
    private static final List<String> GAVEL = List.of(
            "job_type",
            "command",
            "working_directory",
            "num_steps_arg",
            "needs_data_dir",
            "total_steps",
            "scale_factor",
            "priority_weight",
            "slo",
            "arrival_time");
    private static final List<String> SHOCKWAVE = List.of(
            "job_type",
            "command",
            "working_directory",
            "num_steps_arg",
            "needs_data_dir",
            "total_steps",
            "scale_factor",
            "mode",
            "priority_weight",
            "slo",
            "duration",
            "arrival_time");

    /** Samples of one epoch, as counted by the simulator of Shockwave. */
    private static final Map<String, Integer> DATA_SETS = Map.of(
            "ResNet-18", 50_000,
            "ResNet-50", 100_000,
            "Transformer", 10_000,
            "LM", 59_675,
            "Recommendation", 117_907,
            "A3C", 4,
            "CycleGAN", 6_287);

    private final String format;
    private final String summary;
    private final List<String> columns;
    private final String table;
    private final double startSeconds;

    private GavelTrace(String format, String summary, List<String> columns, String table, double startSeconds) {
        this.format = format;
        this.summary = summary;
        this.columns = columns;
        this.table = table;
        this.startSeconds = startSeconds;
    }

    /** Returns the reader of Gavel traces: rigid jobs of one batch size. */
    public static GavelTrace gavel() {
        return new GavelTrace("gavel", "Gavel, with a throughput table", GAVEL, "simulation_throughputs.json", 0);
    }

    /** Returns the reader of Shockwave traces: rigid jobs, some of which change their batch size. */
    public static GavelTrace shockwave() {
        return new GavelTrace(
                "shockwave",
                "Shockwave: jobs that keep or change their batch size, with a throughput table",
                SHOCKWAVE,
                "tacc_throughputs.json",
                20);
    }

    @Override
    public String format() {
        return format;
    }

    @Override
    public String summary() {
        return summary;
    }

    @Override
    public Trace read(Path file, ReadOptions options) throws IOException {
        ThroughputTable table = ThroughputTable.read(tableFile(file, options));
        List<String> types = options.nodes().isEmpty()
                ? List.copyOf(table.types())
                : options.nodes().stream()
                        .map(Node::acceleratorType)
                        .filter(Objects::nonNull)
                        .distinct()
                        .toList();
        SkipCounter skips = new SkipCounter();
        List<TraceJob> jobs = new ArrayList<>();
        for (Row row : DelimitedTable.readTabs(file, columns)) {
            String reason = reasonAgainst(row);
            if (!reason.isEmpty()) {
                skips.add(reason);
                continue;
            }
            TableJob job = job(row, table, types);
            double alone = job.secondsAlone(types);
            if (Double.isFinite(alone) && alone > 0) {
                jobs.add(traceJob(row, job, alone));
            } else {
                skips.add("no speed on any type of the cluster");
            }
        }
        return new Trace(file.getFileName().toString().replace(".trace", ""), jobs, skips.counts());
    }

    private static String reasonAgainst(Row row) {
        if (row.number("arrival_time").isEmpty()) {
            return "no arrival";
        }
        if (row.count("scale_factor").orElse(0) < 1) {
            return "no accelerator asked for";
        }
        return row.number("total_steps").orElse(0) <= 0 ? "no steps to do" : "";
    }

    private TableJob job(Row row, ThroughputTable table, Collection<String> types) {
        JobType type = JobType.of(row.text("job_type").orElse(""));
        int slots = row.count("scale_factor").orElseThrow();
        double steps = row.number("total_steps").orElseThrow();
        double samples = DATA_SETS.getOrDefault(type.model(), type.batch());
        int epochs = (int) Math.ceil(steps / Math.ceil(samples / type.batch()));
        List<Regime> regimes = BatchSchedule.of(row.text("mode").orElse("static"), type, slots, epochs);
        double weight = row.number("priority_weight").orElse(1);
        return new TableJob(table, type, slots, steps, samples, regimes, weight > 0 ? weight : 1, types, startSeconds);
    }

    private static TraceJob traceJob(Row row, TableJob job, double alone) {
        double arrival = Math.max(0, row.number("arrival_time").orElseThrow());
        double slo = row.number("slo").orElse(-1);
        return new TraceJob(
                "job-" + row.number(),
                arrival,
                "root",
                slo > 0 ? Double.valueOf(arrival + slo * alone) : null,
                row.count("scale_factor").orElseThrow(),
                alone,
                job,
                job);
    }

    /**
     * Locates the table: the file of the options, or a file next to the trace, in {@code profiles/gavel} above it, or
     * in {@code profiles/gavel} of the data folder.
     */
    private Path tableFile(Path file, ReadOptions options) throws IOException {
        Path given = options.profiles();
        if (given != null) {
            return Files.isDirectory(given) ? given.resolve(table) : given;
        }
        return TraceFileLocator.near(file, "the table of throughputs", table, "profiles/gavel/" + table);
    }
}
