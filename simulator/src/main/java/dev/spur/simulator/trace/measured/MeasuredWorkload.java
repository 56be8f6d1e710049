package dev.spur.simulator.trace.measured;

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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reader of workloads of the simulators of Sia and Pollux, {@code name,time,application,num_replicas,batch_size}, with
 * the measured models next to them.
 *
 * <p>The same file describes three kinds of jobs. Adaptive jobs choose slots and batch size. Jobs of a fixed batch size
 * run on any number of slots. Rigid jobs, which the authors call tuned, run with the stated slots and batch size.
 */
public final class MeasuredWorkload implements TraceReader {
    private static final String PROFILES = "placement-timings";

    private final String format;
    private final String summary;
    private final SimulatorConventions conventions;
    private final MeasuredJobFactory.Kind kind;

    private MeasuredWorkload(
            String format, String summary, SimulatorConventions conventions, MeasuredJobFactory.Kind kind) {
        this.format = format;
        this.summary = summary;
        this.conventions = conventions;
        this.kind = kind;
    }

    /**
     * Returns a reader for each of the three kinds of jobs, first by the conventions of Sia's simulator, then by those
     * of Pollux.
     */
    public static List<TraceReader> all() {
        return List.of(
                of("sia", "Sia workload, adaptive jobs", SimulatorConventions.SIA, MeasuredJobFactory.Kind.ADAPTIVE),
                of(
                        "sia-fixed-batch",
                        "Sia workload, batch sizes as stated",
                        SimulatorConventions.SIA,
                        MeasuredJobFactory.Kind.FIXED_BATCH),
                of(
                        "sia-rigid",
                        "Sia workload, batch sizes and slots as stated",
                        SimulatorConventions.SIA,
                        MeasuredJobFactory.Kind.RIGID),
                of(
                        "pollux",
                        "Pollux workload, adaptive jobs",
                        SimulatorConventions.POLLUX,
                        MeasuredJobFactory.Kind.ADAPTIVE),
                of(
                        "pollux-fixed-batch",
                        "Pollux workload, batch sizes as stated",
                        SimulatorConventions.POLLUX,
                        MeasuredJobFactory.Kind.FIXED_BATCH),
                of(
                        "pollux-rigid",
                        "Pollux workload, batch sizes and slots as stated",
                        SimulatorConventions.POLLUX,
                        MeasuredJobFactory.Kind.RIGID));
    }

    private static TraceReader of(
            String format, String summary, SimulatorConventions conventions, MeasuredJobFactory.Kind kind) {
        return new MeasuredWorkload(format, summary, conventions, kind);
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
        List<Row> rows = DelimitedTable.read(file, "name", "time", "application", "num_replicas", "batch_size");
        Path profiles = profiles(file, options);
        Map<String, Optional<MeasuredJobFactory>> makers = new HashMap<>();
        SkipCounter skips = new SkipCounter();
        List<TraceJob> jobs = new ArrayList<>();
        for (Row row : rows) {
            String application = row.text("application").orElse("");
            if (!makers.containsKey(application)) {
                makers.put(
                        application,
                        MeasuredModel.read(profiles, application)
                                .map(model -> new MeasuredJobFactory(model, conventions, kind, options)));
            }
            Optional<MeasuredJobFactory> maker = makers.get(application);
            if (maker == null || maker.isEmpty()) {
                skips.add("no measured model " + application);
            } else {
                maker.get().job(row, skips).ifPresent(jobs::add);
            }
        }
        return new Trace(file.getFileName().toString().replace(".csv", ""), jobs, skips.counts());
    }

    /**
     * Locates the models: the folder of the options, or {@code profiles/placement-timings} above the file or in the
     * data folder.
     */
    private static Path profiles(Path file, ReadOptions options) throws IOException {
        Path given = options.profiles();
        if (given != null) {
            if (!Files.isDirectory(given)) {
                throw new IOException("there is no folder %s of measured models".formatted(given));
            }
            return given;
        }
        return TraceFileLocator.near(file, "the folder of measured models", PROFILES, "profiles/" + PROFILES);
    }
}
