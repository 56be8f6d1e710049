package dev.spur.benchmarks.aggregation;

import dev.spur.simulator.report.Distribution;
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

/** CPU cores that parameter servers kept busy in the measurements of DL2. */
public final class ServerCores {
    /** Columns: model, global batch, servers, workers, samples per second of each worker, and cores of each server. */
    private static final Pattern ROW =
            Pattern.compile("\\('([^']+)', '[^']+', (\\d+), \\d+, (\\d+), \\[([^\\]]*)\\], \\[([^\\]]*)\\].*");

    private ServerCores() {}

    /**
     * Returns the gradient bytes of each model with which the expected load of all servers equals the measured cores:
     * the median over the rows of the model.
     *
     * @param file table of the measurements
     * @param bytesPerSecond bytes that one aggregation slot sums per second
     */
    public static Map<String, Double> gradientBytes(Path file, double bytesPerSecond) throws IOException {
        Map<String, List<Double>> byModel = new LinkedHashMap<>();
        for (String line : Files.readAllLines(file)) {
            Matcher row = ROW.matcher(line.strip());
            double speed = row.matches() ? sum(row.group(4)) : 0;
            if (speed > 0) {
                double stepSeconds = Integer.parseInt(row.group(2)) / speed;
                double bytes = sum(row.group(5)) * bytesPerSecond * stepSeconds / Integer.parseInt(row.group(3));
                byModel.computeIfAbsent(row.group(1), model -> new ArrayList<>())
                        .add(bytes);
            }
        }
        Map<String, Double> medians = new LinkedHashMap<>();
        byModel.forEach((model, bytes) ->
                medians.put(model, new Distribution(bytes.stream().mapToDouble(Double::doubleValue)).quantile(0.5)));
        return medians;
    }

    private static double sum(String numbers) {
        return Stream.of(numbers.split(","))
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .mapToDouble(Double::parseDouble)
                .sum();
    }
}
