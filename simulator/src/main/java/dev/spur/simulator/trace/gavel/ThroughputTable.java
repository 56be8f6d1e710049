package dev.spur.simulator.trace.gavel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Measured steps per second by accelerator type, job type and number of accelerators, with exclusive accelerators.
 * Values are used as published, including non-monotone ones and zeros. Speeds of pairs that share an accelerator, and
 * of accelerators spread over nodes, are not read. Source: Narayanan et al., Gavel, OSDI '20.
 */
final class ThroughputTable {
    private static final Pattern KEY = Pattern.compile("\\('(.*)', (\\d+)\\)");
    private static final String SPREAD = "_unconsolidated";

    private record Key(String type, String jobType, int slots) {}

    private final Map<Key, Double> stepsPerSecond = new HashMap<>();
    private final Set<String> types = new TreeSet<>();

    private ThroughputTable() {}

    /**
     * Reads a table.
     *
     * @throws IOException if the file cannot be read or is not such a table
     */
    static ThroughputTable read(Path file) throws IOException {
        ThroughputTable table = new ThroughputTable();
        try {
            JsonNode root = new JsonMapper().readTree(Files.readString(file));
            root.properties().forEach(type -> {
                if (!type.getKey().endsWith(SPREAD)) {
                    table.add(type.getKey().toUpperCase(Locale.ROOT), type.getValue());
                }
            });
        } catch (JacksonException exception) {
            throw new IOException(
                    "%s is not valid JSON: %s".formatted(file, exception.getOriginalMessage()), exception);
        }
        if (table.stepsPerSecond.isEmpty()) {
            throw new IOException("%s contains no throughput of a job without co-located jobs".formatted(file));
        }
        return table;
    }

    private void add(String type, JsonNode jobTypes) {
        jobTypes.properties().forEach(entry -> {
            Matcher key = KEY.matcher(entry.getKey());
            double alone = entry.getValue().path("null").asDouble(0);
            if (key.matches() && alone > 0) {
                types.add(type);
                stepsPerSecond.put(new Key(type, key.group(1), Integer.parseInt(key.group(2))), alone);
            }
        });
    }

    /** Returns the types with at least one known speed, in capital letters. */
    Set<String> types() {
        return types;
    }

    /** Returns the steps per second; 0 if the job does not run in this configuration or it was not measured. */
    double stepsPerSecond(String type, JobType jobType, int slots) {
        return stepsPerSecond.getOrDefault(new Key(type, jobType.text(), slots), 0.0);
    }
}
