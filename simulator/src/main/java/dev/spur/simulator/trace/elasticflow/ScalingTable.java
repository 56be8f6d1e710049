package dev.spur.simulator.trace.elasticflow;

import dev.spur.simulator.trace.parsing.DelimitedTable;
import dev.spur.simulator.trace.parsing.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Iterations per second of one model on one accelerator type, by global batch size and number of accelerators:
 * {@code global_batch_size,1,2,4,...}. Cells that are empty, {@code nan} or 0 were not measured or do not run.
 */
final class ScalingTable {
    private final Map<Integer, NavigableMap<Integer, Double>> byBatch = new HashMap<>();

    private ScalingTable() {}

    /** Reads the table {@code folder/type/model.csv}. Returns an empty table if there is no such file. */
    static ScalingTable read(Path folder, String type, String model) throws IOException {
        ScalingTable table = new ScalingTable();
        Path file = folder.resolve(type).resolve(model + ".csv");
        if (Files.exists(file)) {
            for (Row row : DelimitedTable.read(file, "global_batch_size")) {
                row.count("global_batch_size").ifPresent(batch -> table.byBatch.put(batch, speeds(row)));
            }
        }
        return table;
    }

    private static NavigableMap<Integer, Double> speeds(Row row) {
        NavigableMap<Integer, Double> speeds = new TreeMap<>();
        for (int slots = 1; slots <= 1024; slots *= 2) {
            double speed = row.number(Integer.toString(slots)).orElse(0);
            if (speed > 0) {
                speeds.put(slots, speed);
            }
        }
        return speeds;
    }

    /** Returns the iterations per second by number of accelerators; empty for a batch size that was not measured. */
    NavigableMap<Integer, Double> at(int batch) {
        return byBatch.getOrDefault(batch, new TreeMap<>());
    }
}
