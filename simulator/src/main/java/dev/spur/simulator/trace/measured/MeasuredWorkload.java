package dev.spur.simulator.trace.measured;

import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.simulator.trace.TraceReader;
import dev.spur.simulator.trace.table.Places;
import dev.spur.simulator.trace.table.Row;
import dev.spur.simulator.trace.table.Skips;
import dev.spur.simulator.trace.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Workloads of the simulators of Sia and Pollux, {@code name,time,application,num_replicas,batch_size}, with the measured models
 * beside them. The same file holds three kinds of jobs: adaptive ones, which choose slots and batch size; jobs of the stated batch
 * size on any number of slots; and rigid ones of the stated slots and batch size, which the authors call tuned.
 */
public final class MeasuredWorkload implements TraceReader {
    private static final String PROFILES = "placement-timings";

    private final String format;
    private final String summary;
    private final Conventions conventions;
    private final JobMaker.Kind kind;

    private MeasuredWorkload(String format, String summary, Conventions conventions, JobMaker.Kind kind) {
        this.format = format;
        this.summary = summary;
        this.conventions = conventions;
        this.kind = kind;
    }

    /** The three kinds of jobs by the conventions of Sia's simulator, then by those of Pollux'. */
    public static List<TraceReader> all() {
        return List.of(
                of("sia", "Sia workload, adaptive jobs", Conventions.SIA, JobMaker.Kind.ADAPTIVE),
                of(
                        "sia-fixed-batch",
                        "Sia workload, batch sizes as stated",
                        Conventions.SIA,
                        JobMaker.Kind.FIXED_BATCH),
                of("sia-rigid", "Sia workload, batch sizes and slots as stated", Conventions.SIA, JobMaker.Kind.RIGID),
                of("pollux", "Pollux workload, adaptive jobs", Conventions.POLLUX, JobMaker.Kind.ADAPTIVE),
                of(
                        "pollux-fixed-batch",
                        "Pollux workload, batch sizes as stated",
                        Conventions.POLLUX,
                        JobMaker.Kind.FIXED_BATCH),
                of(
                        "pollux-rigid",
                        "Pollux workload, batch sizes and slots as stated",
                        Conventions.POLLUX,
                        JobMaker.Kind.RIGID));
    }

    private static TraceReader of(String format, String summary, Conventions conventions, JobMaker.Kind kind) {
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
        List<Row> rows = Table.read(file, "name", "time", "application", "num_replicas", "batch_size");
        Path profiles = profiles(file, options);
        Map<String, Optional<JobMaker>> makers = new HashMap<>();
        Skips skips = new Skips();
        List<TraceJob> jobs = new ArrayList<>();
        for (Row row : rows) {
            String application = row.text("application").orElse("");
            if (!makers.containsKey(application)) {
                makers.put(
                        application,
                        MeasuredModel.read(profiles, application)
                                .map(model -> new JobMaker(model, conventions, kind, options)));
            }
            Optional<JobMaker> maker = makers.get(application);
            if (maker == null || maker.isEmpty()) {
                skips.add("no measured model " + application);
            } else {
                maker.get().job(row, skips).ifPresent(jobs::add);
            }
        }
        return new Trace(file.getFileName().toString().replace(".csv", ""), jobs, skips.counts());
    }

    /** Where the options say; otherwise {@code profiles/placement-timings} above the file, or in the data folder. */
    private static Path profiles(Path file, ReadOptions options) throws IOException {
        Path given = options.profiles();
        if (given != null) {
            if (!Files.isDirectory(given)) {
                throw new IOException("there is no folder %s of measured models".formatted(given));
            }
            return given;
        }
        return Places.near(file, "the folder of measured models", PROFILES, "profiles/" + PROFILES);
    }
}
