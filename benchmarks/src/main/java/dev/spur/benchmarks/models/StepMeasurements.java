package dev.spur.benchmarks.models;

import dev.spur.prediction.speed.StepObservation;
import dev.spur.prediction.speed.StepShape;
import dev.spur.simulator.trace.measured.MeasuredModel;
import dev.spur.simulator.trace.measured.MeasuredPoint;
import dev.spur.simulator.trace.parsing.DelimitedTable;
import dev.spur.simulator.trace.parsing.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * All measured steps of one model on one accelerator type, one per shape. A shape that was measured on several
 * placements has the mean.
 *
 * @param source data set of the measurements
 * @param model name of the model
 * @param acceleratorType type of all devices
 * @param steps in the order of the files
 */
public record StepMeasurements(Source source, String model, String acceleratorType, List<StepObservation> steps) {
    /** Data sets of measured steps. */
    public enum Source {
        /** Six models on five types, by placement and batch of a device (Pollux, Sia). */
        PLACEMENTS("placements"),
        /** Models on A100, by number of devices and global batch (ElasticFlow). */
        BATCH_BY_GPUS("batch by GPUs"),
        /** Models by workers and parameter servers at one global batch (DL2). */
        PARAMETER_SERVER("parameter servers");

        private final String title;

        Source(String title) {
            this.title = title;
        }

        /** Returns the name of the data set in tables. */
        String title() {
            return title;
        }
    }

    private static final List<String> MODELS = List.of("bert", "cifar10", "deepspeech2", "imagenet", "ncf", "yolov3");
    private static final int DEVICES_OF_A_NODE = 8;
    /** Columns: model, global batch, servers, workers, and samples per second of each worker. */
    private static final Pattern SERVERS =
            Pattern.compile("\\('([^']+)', '[^']+', (\\d+), (\\d+), (\\d+), \\[([^\\]]*)\\].*");

    public StepMeasurements {
        steps = List.copyOf(steps);
    }

    /** Reads all measurements in the folder of profiles. */
    public static List<StepMeasurements> read(Path profiles) throws IOException {
        List<StepMeasurements> all = new ArrayList<>();
        for (String model : MODELS) {
            MeasuredModel measured = MeasuredModel.read(profiles.resolve("placement-timings"), model)
                    .orElseThrow(() -> new IOException("The folder of profiles has no model " + model));
            for (String type : measured.types()) {
                Collection steps = new Collection();
                for (MeasuredPoint point :
                        measured.stepTimes(type).orElseThrow().points()) {
                    steps.add(
                            StepShape.allReduce(point.slots(), point.nodes(), point.perDevice()),
                            point.timing().step());
                }
                all.add(new StepMeasurements(Source.PLACEMENTS, model, type, steps.means()));
            }
        }
        all.addAll(readTables(profiles.resolve("batch-by-gpus").resolve("A100")));
        all.addAll(readServers(profiles.resolve("parameter-server").resolve("config_speed.txt")));
        return all;
    }

    private static List<StepMeasurements> readTables(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> list = Files.list(folder)) {
            files = list.sorted().toList();
        }
        List<StepMeasurements> all = new ArrayList<>();
        for (Path file : files) {
            Collection steps = new Collection();
            for (Row row : DelimitedTable.read(file, "global_batch_size")) {
                int batch = row.count("global_batch_size").orElse(0);
                for (int slots = 1; batch > 0 && slots <= batch && slots <= 1024; slots *= 2) {
                    double rate = row.number(Integer.toString(slots)).orElse(0);
                    if (rate > 0) {
                        int nodes = (slots + DEVICES_OF_A_NODE - 1) / DEVICES_OF_A_NODE;
                        steps.add(StepShape.allReduce(slots, nodes, (double) batch / slots), 1 / rate);
                    }
                }
            }
            String model = file.getFileName().toString().replace(".csv", "");
            all.add(new StepMeasurements(Source.BATCH_BY_GPUS, model, "A100", steps.means()));
        }
        return all;
    }

    private static List<StepMeasurements> readServers(Path file) throws IOException {
        Map<String, Collection> byModel = new LinkedHashMap<>();
        for (String line : Files.readAllLines(file)) {
            Matcher row = SERVERS.matcher(line.strip());
            if (row.matches()) {
                int batch = Integer.parseInt(row.group(2));
                int workers = Integer.parseInt(row.group(4));
                double speed = Stream.of(row.group(5).split(","))
                        .map(String::strip)
                        .filter(text -> !text.isEmpty())
                        .mapToDouble(Double::parseDouble)
                        .sum();
                if (speed > 0) {
                    byModel.computeIfAbsent(row.group(1), key -> new Collection())
                            .add(
                                    new StepShape(
                                            workers,
                                            workers,
                                            (double) batch / workers,
                                            0,
                                            Integer.parseInt(row.group(3))),
                                    batch / speed);
                }
            }
        }
        return byModel.entrySet().stream()
                .map(entry -> new StepMeasurements(
                        Source.PARAMETER_SERVER,
                        entry.getKey(),
                        "unnamed",
                        entry.getValue().means()))
                .toList();
    }

    /** Accumulator of the measurements of each shape. */
    private static final class Collection {
        private final Map<StepShape, double[]> sums = new LinkedHashMap<>();

        void add(StepShape shape, double seconds) {
            double[] sum = sums.computeIfAbsent(shape, key -> new double[2]);
            sum[0] += seconds;
            sum[1]++;
        }

        List<StepObservation> means() {
            List<StepObservation> means = new ArrayList<>();
            sums.forEach((shape, sum) -> means.add(StepObservation.of(shape, sum[0] / sum[1])));
            return means;
        }
    }
}
