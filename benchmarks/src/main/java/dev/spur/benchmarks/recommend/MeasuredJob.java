package dev.spur.benchmarks.recommend;

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
import dev.spur.simulator.trace.measured.MeasuredModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Job that trains a measured model, with all measured speeds.
 *
 * @param name of the model
 * @param spec specification with the true speeds
 */
public record MeasuredJob(String name, JobSpec spec) {
    /** Work of the job, in useful steps at the initial batch size; large enough that runs take hours. */
    private static final double STEPS = 20_000;

    private static final int MAX_SLOTS = 64;
    private static final double START_SECONDS = 60;

    /** Reads the job of a model from a folder of step times. */
    public static MeasuredJob read(Path folder, String name) throws IOException {
        MeasuredModel model = MeasuredModel.read(folder, name)
                .orElseThrow(() -> new IOException("The folder %s has no measured model %s".formatted(folder, name)));
        List<ProfilePoint> points = new ArrayList<>();
        Map<String, Integer> perDevice = new HashMap<>();
        for (String type : model.types()) {
            model.stepTimes(type).orElseThrow().points().forEach(point -> {
                int batch = point.perDevice() * point.slots();
                points.add(ProfilePoint.allReduce(
                        type,
                        point.slots(),
                        point.nodes(),
                        batch,
                        batch / point.timing().step()));
                perDevice.merge(type, point.perDevice(), Math::max);
            });
        }
        int initial = model.initialBatch();
        int min = Collections.min(perDevice.values());
        BatchLimits batch = new BatchLimits(initial, 1, model.largestBatch(), min, perDevice, false);
        return new MeasuredJob(
                name,
                new JobSpec(
                        new Work(WorkUnit.SAMPLES, STEPS * initial, null),
                        Elasticity.between(1, MAX_SLOTS),
                        batch,
                        Synchronization.allReduceOnly(),
                        StatisticalEfficiency.ofNoiseScale(model.medianNoiseScale()),
                        new ThroughputProfile(points, List.of()),
                        HostDemand.NONE,
                        START_SECONDS,
                        0,
                        true,
                        1,
                        0,
                        null,
                        null));
    }

    /**
     * Returns the job as known after {@code count} measured points on each type, chosen by {@code seed}; all points if
     * count is 0.
     */
    public JobSpec specAfter(int count, long seed) {
        if (count == 0) {
            return spec;
        }
        Map<String, List<ProfilePoint>> byType = new LinkedHashMap<>();
        spec.profile()
                .points()
                .forEach(point -> byType.computeIfAbsent(point.acceleratorType(), type -> new ArrayList<>())
                        .add(point));
        Random random = new Random(seed);
        List<ProfilePoint> known = new ArrayList<>();
        byType.values().forEach(all -> {
            Collections.shuffle(all, random);
            known.addAll(all.subList(0, Math.min(count, all.size())));
        });
        return spec.withSpeed(new ThroughputProfile(known, List.of()), spec.efficiency());
    }

    /** Returns true if steps were measured with these slots on this number of nodes of the type. */
    public boolean wasMeasured(String type, int slots, int nodes) {
        return spec.profile().points().stream()
                .anyMatch(point ->
                        point.acceleratorType().equals(type) && point.slots() == slots && point.nodes() == nodes);
    }
}
