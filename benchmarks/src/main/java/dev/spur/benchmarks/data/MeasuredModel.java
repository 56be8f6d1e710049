package dev.spur.benchmarks.data;

import dev.spur.model.job.BatchLimits;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.ThroughputProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A model whose step times were measured by placement and per-device batch size, in the files of the Pollux and Sia
 * artifacts.
 *
 * @param profile measured throughput on T4, RTX2080Ti and A100
 * @param batch initial and largest batch size by the validation files, largest per device by type
 * @param efficiency median gradient noise scale over the epochs at the initial batch size
 */
public record MeasuredModel(ThroughputProfile profile, BatchLimits batch, StatisticalEfficiency efficiency) {
    private static final Map<String, String> TYPES = Map.of("aws", "T4", "rtx", "RTX2080Ti", "dgx-ext", "A100");

    /** Reads one model's folder. */
    public static MeasuredModel read(Path folder) throws IOException {
        List<ProfilePoint> points = new ArrayList<>();
        Map<String, Integer> largestPerDevice = new HashMap<>();
        for (Map.Entry<String, String> type : TYPES.entrySet()) {
            readPlacements(
                    folder.resolve("placements-" + type.getKey() + ".csv"), type.getValue(), points, largestPerDevice);
            readScalability(folder.resolve("scalability-" + type.getKey() + ".csv"), type.getValue(), points);
        }
        int[] batches = validatedBatches(folder);
        int initial = batches.length == 0 ? smallestBatch(points) : batches[0];
        int largest = batches.length == 0 ? initial : batches[batches.length - 1];
        int anyDevice = largestPerDevice.values().stream()
                .mapToInt(Integer::intValue)
                .min()
                .orElse(initial);
        return new MeasuredModel(
                new ThroughputProfile(points, List.of()),
                new BatchLimits(initial, initial, largest, anyDevice, largestPerDevice, false),
                efficiency(folder, initial));
    }

    private static void readPlacements(
            Path file, String type, List<ProfilePoint> points, Map<String, Integer> largestPerDevice)
            throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        for (Csv.Row row : Csv.rows(file)) {
            int[] perNode = row.text("placement")
                    .chars()
                    .map(digit -> digit - '0')
                    .filter(n -> n > 0)
                    .toArray();
            int perDevice = row.count("local_bsz");
            int slots = Arrays.stream(perNode).sum();
            largestPerDevice.merge(type, perDevice, Math::max);
            points.add(point(type, slots, perNode.length, perDevice, row));
        }
    }

    private static void readScalability(Path file, String type, List<ProfilePoint> points) throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        for (Csv.Row row : Csv.rows(file)) {
            int slots = row.count("num_replicas");
            int nodes = row.count("num_nodes");
            points.add(point(type, slots, nodes, row.count("local_bsz"), row));
        }
    }

    private static ProfilePoint point(String type, int slots, int nodes, int perDevice, Csv.Row row) {
        double step = row.number("step_time");
        int batch = perDevice * slots;
        return ProfilePoint.allReduce(type, slots, nodes, batch, batch / step);
    }

    private static int[] validatedBatches(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("validation-"))
                    .mapToInt(name -> Integer.parseInt(name.replaceAll("\\D", "")))
                    .sorted()
                    .toArray();
        }
    }

    private static int smallestBatch(List<ProfilePoint> points) {
        return points.stream().mapToInt(ProfilePoint::batchSize).min().orElse(1);
    }

    private static StatisticalEfficiency efficiency(Path folder, int initial) throws IOException {
        Path file = folder.resolve("validation-" + initial + ".csv");
        double[] noise = Csv.rows(file).stream()
                .mapToDouble(row -> initial * row.number("grad_var") / row.number("grad_sqr"))
                .filter(Double::isFinite)
                .sorted()
                .toArray();
        return noise.length == 0
                ? StatisticalEfficiency.UNKNOWN
                : StatisticalEfficiency.ofNoiseScale(noise[noise.length / 2]);
    }
}
