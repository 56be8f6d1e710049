package dev.spur.benchmarks.instance;

import dev.spur.model.job.BatchLimits;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.simulator.trace.measured.MeasuredModel;
import dev.spur.simulator.trace.measured.MeasuredPoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A measured model as the specification of a job.
 *
 * @param profile measured throughput on T4, RTX2080Ti and A100
 * @param batch initial and largest validated batch size, and the largest per device by type
 * @param efficiency median gradient noise scale over the epochs at the initial batch size
 */
record MeasuredProfile(ThroughputProfile profile, BatchLimits batch, StatisticalEfficiency efficiency) {
    private static final List<String> TYPES = List.of("T4", "RTX2080Ti", "A100");

    static MeasuredProfile read(Path folder, String name) throws IOException {
        MeasuredModel model = MeasuredModel.read(folder, name)
                .orElseThrow(() -> new IOException("The folder %s has no measured model %s".formatted(folder, name)));
        List<ProfilePoint> points = new ArrayList<>();
        Map<String, Integer> largestPerDevice = new HashMap<>();
        for (String type : TYPES) {
            model.stepTimes(type)
                    .ifPresent(times -> times.points().forEach(point -> {
                        points.add(point(type, point));
                        largestPerDevice.merge(type, point.perDevice(), Math::max);
                    }));
        }
        int initial = model.initialBatch();
        int anyDevice = largestPerDevice.values().stream()
                .mapToInt(Integer::intValue)
                .min()
                .orElse(initial);
        return new MeasuredProfile(
                new ThroughputProfile(points, List.of()),
                new BatchLimits(initial, initial, model.largestBatch(), anyDevice, largestPerDevice, false),
                StatisticalEfficiency.ofNoiseScale(model.medianNoiseScale()));
    }

    private static ProfilePoint point(String type, MeasuredPoint point) {
        int batch = point.perDevice() * point.slots();
        double speed = batch / point.timing().step();
        return ProfilePoint.allReduce(type, point.slots(), point.nodes(), batch, speed);
    }
}
