package dev.spur.benchmarks.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Generates request bodies from examples, with unique names and injected faults. */
final class BodyGenerator {
    private static final int NAMES = 8;
    private static final String MARK = "@hostile@";

    private final Random random;

    BodyGenerator(Random random) {
        this.random = random;
    }

    /** Returns an example as text with {@code faults} faults at distinct positions. */
    String corrupted(JsonNode example, int faults) {
        JsonNode tree = example.deepCopy();
        if (tree.has("externalId")) {
            ((ObjectNode) tree).put("externalId", "job-" + random.nextInt(1_000_000));
        }
        if (tree.has("name") && tree.has("role")) {
            ((ObjectNode) tree).put("name", "token-" + random.nextInt(NAMES));
        }
        for (int fault = 0; fault < faults; fault++) {
            corrupt(tree);
        }
        String text = tree.toString();
        while (text.contains("\"" + MARK + "\"")) {
            int at = text.indexOf("\"" + MARK + "\"");
            text = text.substring(0, at) + HostileValues.json(random) + text.substring(at + MARK.length() + 2);
        }
        return faults > 0 && random.nextInt(20) == 0 ? text.substring(0, random.nextInt(text.length() + 1)) : text;
    }

    private void corrupt(JsonNode tree) {
        List<JsonNode> containers = new ArrayList<>();
        collect(tree, containers);
        if (containers.isEmpty()) {
            return;
        }
        JsonNode place = containers.get(random.nextInt(containers.size()));
        if (place instanceof ObjectNode object) {
            List<String> names = new ArrayList<>(object.propertyNames());
            String name = names.isEmpty() || random.nextInt(8) == 0
                    ? "unknown" + random.nextInt(3)
                    : names.get(random.nextInt(names.size()));
            if (random.nextInt(5) == 0) {
                object.remove(name);
            } else {
                object.put(name, MARK);
            }
        } else if (place instanceof ArrayNode array) {
            if (array.isEmpty() || random.nextInt(3) == 0) {
                array.add(MARK);
            } else {
                array.set(random.nextInt(array.size()), array.stringNode(MARK));
            }
        }
    }

    private static void collect(JsonNode tree, List<JsonNode> containers) {
        if (tree.isContainer()) {
            containers.add(tree);
            tree.forEach(child -> collect(child, containers));
        }
    }
}
