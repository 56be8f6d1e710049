package dev.spur.benchmarks.fuzz;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import tools.jackson.databind.JsonNode;

/** Ids and entity tags from earlier responses, by collection. Thread-safe. */
final class IdPool {
    private static final int MOST = 50;
    private static final List<String> KEYS = List.of("id", "name", "revision", "number", "assignmentId");

    private final Map<String, List<String>> ids = new HashMap<>();
    private final List<String> tags = new ArrayList<>();

    /** Collects the ids in a response of a collection. */
    synchronized void learn(String collection, JsonNode body) {
        for (String key : KEYS) {
            if (body.path(key).isValueNode() && !body.path(key).isNull()) {
                keep(
                        ids.computeIfAbsent(collection, c -> new ArrayList<>()),
                        body.path(key).asString());
            }
        }
        body.path("items").forEach(item -> learn(collection, item));
        body.path("assignments").forEach(item -> learn(collection, item));
    }

    synchronized void learnTag(String tag) {
        keep(tags, tag);
    }

    synchronized Optional<String> id(String collection, Random random) {
        return any(ids.getOrDefault(collection, List.of()), random);
    }

    synchronized Optional<String> tag(Random random) {
        return any(tags, random);
    }

    private static void keep(List<String> values, String value) {
        if (!values.contains(value)) {
            if (values.size() == MOST) {
                values.remove(0);
            }
            values.add(value);
        }
    }

    private static Optional<String> any(List<String> values, Random random) {
        return values.isEmpty() ? Optional.empty() : Optional.of(values.get(random.nextInt(values.size())));
    }
}
