package dev.spur.simulator.cluster;

import dev.spur.model.Checks;
import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.Pool;
import dev.spur.model.json.JsonErrors;
import dev.spur.model.json.RoundJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;

/**
 * Cluster of a replay: {@code {"nodes": [{"type": "A100", "count": 2, "slots": 8}]}}.
 *
 * @param nodes kinds of nodes, at least one
 */
public record ClusterFile(List<NodeKind> nodes) {
    public ClusterFile {
        nodes = Checks.copy(nodes);
        Checks.require(!nodes.isEmpty(), "nodes must name at least one kind of node");
    }

    /**
     * Reads a cluster file.
     *
     * @throws IOException if the file cannot be read or is invalid; the message states the cause
     */
    public static ClusterFile read(Path file) throws IOException {
        String json = Files.readString(file);
        try {
            return RoundJson.mapper().readValue(json, ClusterFile.class);
        } catch (JacksonException exception) {
            throw new IOException(
                    "%s is not a cluster, such as examples/cluster.json: %s."
                            .formatted(file, JsonErrors.describe(exception)),
                    exception);
        }
    }

    /** Returns the nodes, in the order of the file; an id is the type and a number. */
    public List<Node> allNodes() {
        Map<String, Integer> numbered = new HashMap<>();
        List<Node> all = new ArrayList<>();
        for (NodeKind kind : nodes) {
            int first = numbered.merge(kind.type(), kind.count(), Integer::sum) - kind.count();
            all.addAll(kind.nodes(first));
        }
        return all;
    }

    /** Returns the accelerator types, in the order of the file; memory and contention are those of the first kind. */
    public List<AcceleratorType> acceleratorTypes() {
        Map<String, AcceleratorType> types = new LinkedHashMap<>();
        nodes.forEach(kind -> types.putIfAbsent(kind.type(), kind.acceleratorType()));
        return List.copyOf(types.values());
    }

    /** Returns the pools; none requires whole nodes. */
    public List<Pool> pools() {
        return allNodes().stream()
                .map(Node::pool)
                .distinct()
                .map(name -> new Pool(name, false))
                .toList();
    }

    /** Returns the total number of slots. */
    public int slots() {
        return nodes.stream().mapToInt(kind -> kind.count() * kind.slots()).sum();
    }
}
