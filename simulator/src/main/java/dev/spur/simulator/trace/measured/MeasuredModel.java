package dev.spur.simulator.trace.measured;

import dev.spur.prediction.BatchRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** Model with measured step times and gradient noise. */
public final class MeasuredModel {
    /** Accelerator types by the suffixes of the files. */
    private static final List<Map.Entry<String, String>> TYPES = List.of(
            Map.entry("aws", "T4"),
            Map.entry("rtx", "RTX2080Ti"),
            Map.entry("dgx-ext", "A100"),
            Map.entry("azure", "V100"),
            Map.entry("quad", "QuadroRTX6000"));

    private final String name;
    private final Map<String, StepTimes> stepTimes;
    private final EpochMeasurements epochs;

    private MeasuredModel(String name, Map<String, StepTimes> stepTimes, EpochMeasurements epochs) {
        this.name = name;
        this.stepTimes = Collections.unmodifiableMap(stepTimes);
        this.epochs = epochs;
    }

    /**
     * Reads {@code folder/name}. Types are T4, RTX2080Ti, A100, V100 and QuadroRTX6000, if their files exist.
     *
     * @return empty if there is no such folder
     * @throws IOException if a file cannot be read or is not of this format
     */
    public static Optional<MeasuredModel> read(Path folder, String name) throws IOException {
        Path own = folder.resolve(name);
        if (!Files.isDirectory(own)) {
            return Optional.empty();
        }
        Map<String, StepTimes> stepTimes = new LinkedHashMap<>();
        for (Map.Entry<String, String> type : TYPES) {
            StepTimeFiles.read(own, type.getKey()).ifPresent(times -> stepTimes.put(type.getValue(), times));
        }
        if (stepTimes.isEmpty()) {
            throw new IOException("%s has no file placements-TYPE.csv".formatted(own));
        }
        return Optional.of(new MeasuredModel(name, stepTimes, EpochMeasurements.read(own)));
    }

    /** Returns the name of the model, which is that of its folder. */
    public String name() {
        return name;
    }

    /** Returns the types with step times. */
    public Set<String> types() {
        return stepTimes.keySet();
    }

    /** Returns the step times on {@code type}; empty if it was not measured. */
    public Optional<StepTimes> stepTimes(String type) {
        return Optional.ofNullable(stepTimes.get(type));
    }

    /** Returns the global batch size for which the model was tuned: the smallest one that was validated. */
    public int initialBatch() {
        return epochs.initialBatch();
    }

    /** Returns the largest global batch size that was validated. */
    public int largestBatch() {
        return epochs.largestBatch();
    }

    /** Returns the median over the epochs of the gradient noise scale at the initial batch size, in samples. */
    public double medianNoiseScale() {
        double[] noise = IntStream.range(0, epochs.count())
                .mapToDouble(epoch -> epochs.noiseScale(initialBatch(), epoch))
                .sorted()
                .toArray();
        return noise[noise.length / 2];
    }

    EpochMeasurements epochs() {
        return epochs;
    }

    /**
     * Returns the batch sizes on {@code shape} of a type with {@code times}, of at most {@code maxPerDevice} samples
     * per pass.
     */
    BatchRange range(StepTimes times, List<Integer> shape, int maxPerDevice) {
        int min = times.minPerDevice();
        int max = Math.max(min, Math.min(maxPerDevice, times.maxPerDevice(shape)));
        return new BatchRange(initialBatch(), largestBatch(), min, max, true);
    }
}
