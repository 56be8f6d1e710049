package dev.spur.simulator.trace.measured;

import dev.spur.simulator.trace.parsing.DelimitedTable;
import dev.spur.simulator.trace.parsing.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Measurements by epoch of training runs at several global batch sizes. Progress counts iterations at the smallest of
 * these batch sizes, the initial one. Values between batch sizes are interpolated linearly.
 */
final class EpochMeasurements {
    private static final Pattern FILE = Pattern.compile("validation-(\\d+)\\.csv");

    /** By batch size; for each epoch progress at its end, squared norm and variance of gradients. */
    private final NavigableMap<Integer, double[][]> runs;

    private EpochMeasurements(NavigableMap<Integer, double[][]> runs) {
        this.runs = runs;
    }

    /** Reads all {@code validation-BATCH.csv} of a folder. */
    static EpochMeasurements read(Path folder) throws IOException {
        NavigableMap<Integer, double[][]> runs = new TreeMap<>();
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.toList();
        }
        for (Path file : files) {
            Matcher name = FILE.matcher(file.getFileName().toString());
            if (name.matches()) {
                runs.put(Integer.parseInt(name.group(1)), run(file));
            }
        }
        if (runs.isEmpty()) {
            throw new IOException("%s has no file validation-BATCH.csv".formatted(folder));
        }
        return new EpochMeasurements(runs);
    }

    private static double[][] run(Path file) throws IOException {
        return DelimitedTable.read(file, "progress", "grad_sqr", "grad_var").stream()
                .filter(row -> row.number("progress").isPresent())
                .map(EpochMeasurements::epoch)
                .toArray(double[][]::new);
    }

    private static double[] epoch(Row row) {
        return new double[] {
            row.number("progress").orElseThrow(),
            row.number("grad_sqr").orElse(0),
            row.number("grad_var").orElse(0)
        };
    }

    int initialBatch() {
        return runs.firstKey();
    }

    int largestBatch() {
        return runs.lastKey();
    }

    /** Returns the measured batch sizes, ascending. */
    List<Integer> batches() {
        return List.copyOf(runs.keySet());
    }

    /** Returns the number of epochs that all runs have. */
    int count() {
        return runs.values().stream().mapToInt(run -> run.length).min().orElse(0);
    }

    /**
     * Returns the iterations at the initial batch size after {@code epochs} complete epochs, of the run with the
     * minimum.
     */
    double progressAfter(int epochs) {
        return epochs == 0
                ? 0
                : runs.values().stream()
                        .mapToDouble(run -> run[epochs - 1][0])
                        .min()
                        .orElseThrow();
    }

    /**
     * Returns the number of iterations at the initial batch size that one iteration at {@code batch} replaces during
     * {@code epoch}, counted from 0.
     *
     * <p>The gain is (var + sqr) / (var * initial / batch + sqr), with the variance and the squared norm of gradients
     * in that epoch. Source: Johnson et al., AdaScale SGD, ICML '20.
     */
    double gain(double batch, int epoch) {
        double within = Math.min(largestBatch(), Math.max(initialBatch(), batch));
        Map.Entry<Integer, double[][]> below = runs.floorEntry((int) Math.floor(within));
        Map.Entry<Integer, double[][]> above = runs.ceilingEntry((int) Math.ceil(within));
        double width = above.getKey() - below.getKey();
        double part = width == 0 ? 0 : (within - below.getKey()) / width;
        double squared = (1 - part) * below.getValue()[epoch][1] + part * above.getValue()[epoch][1];
        double variance = (1 - part) * below.getValue()[epoch][2] + part * above.getValue()[epoch][2];
        double denominator = variance * initialBatch() / within + squared;
        return denominator > 0 ? (variance + squared) / denominator : 1;
    }

    /**
     * Returns the gradient noise scale in samples during {@code epoch}, as measured at {@code batch}. An epoch with a
     * squared gradient norm of 0 in the measurements counts as free of noise.
     */
    double noiseScale(double batch, int epoch) {
        double scale = Math.min(largestBatch(), Math.max(initialBatch(), batch)) / initialBatch();
        double gain = gain(batch, epoch);
        // gain = (v + 1) / (v / scale + 1) with v = var / sqr, solved for v.
        double rest = 1 - gain / scale;
        return scale == 1 || rest <= 0 ? noiseOfInitial(epoch) : initialBatch() * Math.max(0, (gain - 1) / rest);
    }

    private double noiseOfInitial(int epoch) {
        double[] row = runs.firstEntry().getValue()[epoch];
        return row[1] > 0 ? initialBatch() * row[2] / row[1] : 0;
    }
}
