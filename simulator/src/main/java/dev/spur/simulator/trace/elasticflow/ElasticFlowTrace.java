package dev.spur.simulator.trace.elasticflow;

import dev.spur.model.cluster.Node;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.Synchronization;
import dev.spur.model.job.Work;
import dev.spur.model.job.WorkUnit;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.simulator.trace.PolicyViewModel;
import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.SpecGroundTruth;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.simulator.trace.TraceReader;
import dev.spur.simulator.trace.parsing.DelimitedTable;
import dev.spur.simulator.trace.parsing.Row;
import dev.spur.simulator.trace.parsing.SkipCounter;
import dev.spur.simulator.trace.parsing.TraceFileLocator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Reader of ElasticFlow traces, {@code job_id,submit_time,iteration,model_name,ddl,batch_size,num_gpu,duration}.
 * Measured speeds are in the tables {@code batch-by-gpus/TYPE/MODEL.csv}.
 *
 * <p>Jobs run on every number of accelerators that was measured at their batch size. {@code ddl} is their deadline on
 * the clock of the file. The first arrival becomes 0. Source: Gu et al., ASPLOS '23.
 */
public final class ElasticFlowTrace implements TraceReader {
    private static final String PROFILES = "batch-by-gpus";
    private static final String USUAL_TYPE = "T4";
    /** Seconds of a full restart of one accelerator in the simulator of the authors, rounded. */
    private static final double RESTART_SECONDS = 30;

    @Override
    public String format() {
        return "elasticflow";
    }

    @Override
    public String summary() {
        return "ElasticFlow: elastic jobs with deadlines, with tables of speeds";
    }

    @Override
    public Trace read(Path file, ReadOptions options) throws IOException {
        List<Row> rows = DelimitedTable.read(
                file, "job_id", "submit_time", "iteration", "model_name", "ddl", "batch_size", "num_gpu");
        Path profiles = options.profiles() == null
                ? TraceFileLocator.near(file, "the tables of speeds", PROFILES, "profiles/" + PROFILES)
                : options.profiles();
        Speeds speeds = new Speeds(profiles, slotsByType(options.nodes()));
        double start = rows.stream()
                .flatMapToDouble(row -> row.number("submit_time").stream())
                .min()
                .orElse(0);
        SkipCounter skips = new SkipCounter();
        List<TraceJob> jobs = new ArrayList<>();
        for (Row row : rows) {
            if (!isComplete(row)) {
                skips.add("a number is missing or not above 0");
            } else {
                Optional<TraceJob> job = job(row, start, speeds);
                job.ifPresentOrElse(
                        jobs::add, () -> skips.add("no speed at its batch size on any type of the cluster"));
            }
        }
        return new Trace("ElasticFlow", jobs, skips.counts());
    }

    private static Map<String, Integer> slotsByType(List<Node> nodes) {
        Map<String, Integer> slots = new HashMap<>();
        for (Node node : nodes) {
            slots.merge(Objects.requireNonNullElse(node.acceleratorType(), ""), node.slots(), Integer::sum);
        }
        return nodes.isEmpty() ? Map.of(USUAL_TYPE, Integer.MAX_VALUE) : slots;
    }

    private static boolean isComplete(Row row) {
        return row.text("job_id").isPresent()
                && row.number("submit_time").isPresent()
                && row.number("iteration").orElse(0) > 0
                && row.count("batch_size").orElse(0) > 0
                && row.count("num_gpu").orElse(0) > 0;
    }

    /** Measured speeds, limited to the slots of the cluster. */
    private record Speeds(Path profiles, Map<String, Integer> slotsByType) {
        List<ProfilePoint> points(String model, int batch) throws IOException {
            List<ProfilePoint> points = new ArrayList<>();
            for (String type : new TreeSet<>(slotsByType.keySet())) {
                ScalingTable.read(profiles, type, model).at(batch).forEach((slots, iterations) -> {
                    if (slots <= slotsByType.getOrDefault(type, 0) && slots <= batch) {
                        points.add(ProfilePoint.allReduce(type, slots, 1, batch, iterations * batch));
                    }
                });
            }
            return points;
        }
    }

    private static Optional<TraceJob> job(Row row, double start, Speeds speeds) throws IOException {
        String model = row.text("model_name").orElse("");
        int batch = row.count("batch_size").orElseThrow();
        List<ProfilePoint> points = speeds.points(model, batch);
        if (points.isEmpty()) {
            return Optional.empty();
        }
        double samples = row.number("iteration").orElseThrow() * batch;
        JobSpec spec = spec(points, samples, batch);
        double arrival = row.number("submit_time").orElseThrow() - start;
        double deadline = row.number("ddl").orElse(0) - start;
        return Optional.of(new TraceJob(
                model + "-" + row.text("job_id").orElseThrow(),
                arrival,
                "root",
                deadline > arrival ? Double.valueOf(deadline) : null,
                row.count("num_gpu").orElseThrow(),
                samples / speed(points, row.count("num_gpu").orElseThrow()),
                new SpecGroundTruth(spec, 0, RESTART_SECONDS),
                PolicyViewModel.complete(spec)));
    }

    private static JobSpec spec(List<ProfilePoint> points, double samples, int batch) {
        List<Integer> counts =
                points.stream().map(ProfilePoint::slots).distinct().sorted().toList();
        int max = counts.get(counts.size() - 1);
        return new JobSpec(
                new Work(WorkUnit.SAMPLES, samples, null),
                new Elasticity(List.of(), List.of(), counts.get(0), max, false, counts, null, false),
                BatchLimits.roundedUp(batch, max),
                Synchronization.allReduceOnly(),
                StatisticalEfficiency.LEVEL,
                new ThroughputProfile(points, List.of()),
                HostDemand.NONE,
                RESTART_SECONDS,
                0,
                true,
                1,
                0,
                null,
                null);
    }

    /**
     * Returns the samples per second on the requested slots, or on the nearest smaller number that was measured, on the
     * fastest type.
     */
    private static double speed(List<ProfilePoint> points, int slots) {
        int nearest = points.stream()
                .mapToInt(ProfilePoint::slots)
                .filter(measured -> measured <= slots)
                .max()
                .orElse(points.get(0).slots());
        return points.stream()
                .filter(point -> point.slots() == nearest)
                .mapToDouble(ProfilePoint::samplesPerSecond)
                .max()
                .orElseThrow();
    }
}
