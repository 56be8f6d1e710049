package dev.spur.simulator.trace.measured;

import dev.spur.simulator.trace.parsing.DelimitedTable;
import dev.spur.simulator.trace.parsing.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Reader of the step times of one model on one accelerator type, from the files of the published simulators. */
final class StepTimeFiles {
    private StepTimeFiles() {}

    /**
     * Reads {@code placements-SUFFIX.csv} and, where it exists, {@code scalability-SUFFIX.csv}; empty if there is no
     * such file. Rows without a step time are skipped.
     *
     * @param suffix name of the accelerator type in the file names
     * @throws IOException if a file cannot be read, lacks a column or has no row
     */
    static Optional<StepTimes> read(Path folder, String suffix) throws IOException {
        Path placements = folder.resolve("placements-%s.csv".formatted(suffix));
        if (!Files.exists(placements)) {
            return Optional.empty();
        }
        StepTimes.Builder builder = new StepTimes.Builder();
        for (Row row : DelimitedTable.read(placements, "placement", "local_bsz", "step_time", "sync_time")) {
            List<Integer> shape = shape(row.text("placement").orElse(""));
            if (isWhole(row) && !shape.isEmpty()) {
                builder.place(shape, row.count("local_bsz").orElseThrow(), timing(row));
            }
        }
        readScalability(folder.resolve("scalability-%s.csv".formatted(suffix)), builder);
        if (builder.isEmpty()) {
            throw new IOException("%s has no step time".formatted(placements));
        }
        return Optional.of(builder.build());
    }

    private static void readScalability(Path file, StepTimes.Builder builder) throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        for (Row row : DelimitedTable.read(file, "num_nodes", "num_replicas", "local_bsz", "step_time", "sync_time")) {
            int nodes = row.count("num_nodes").orElse(0);
            int slots = row.count("num_replicas").orElse(0);
            if (isWhole(row) && nodes >= 1 && slots >= nodes) {
                builder.scale(nodes, slots, row.count("local_bsz").orElseThrow(), timing(row));
            }
        }
    }

    private static boolean isWhole(Row row) {
        return row.count("local_bsz").orElse(0) > 0
                && row.number("step_time").orElse(0) > 0
                && row.number("sync_time").isPresent();
    }

    private static Timing timing(Row row) {
        return new Timing(
                row.number("step_time").orElseThrow(), row.number("sync_time").orElseThrow());
    }

    /** Slots per node, in the files one digit each, in descending order. */
    private static List<Integer> shape(String placement) {
        return placement
                .chars()
                .map(digit -> digit - '0')
                .filter(slots -> slots > 0 && slots < 10)
                .boxed()
                .sorted(Comparator.reverseOrder())
                .toList();
    }
}
