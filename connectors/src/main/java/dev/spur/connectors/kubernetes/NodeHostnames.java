package dev.spur.connectors.kubernetes;

import dev.spur.connectors.PlatformNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Nodes of all pools by name and by hostname label. Pods are pinned by the hostname, which usually but not always
 * equals the name.
 */
final class NodeHostnames {
    private final Map<String, PlatformNode> nodes = new HashMap<>();
    private final Map<String, String> hosts = new HashMap<>();
    private final Map<String, String> names = new HashMap<>();

    NodeHostnames(List<? extends JsonNode> objects, KubernetesNodeReader reader) {
        for (JsonNode object : objects) {
            reader.read(object, List.of()).ifPresent(node -> {
                String host = object.at("/metadata/labels")
                        .path(KubernetesNodeReader.HOSTNAME)
                        .asString(node.name());
                nodes.put(node.name(), node);
                hosts.put(node.name(), host);
                names.put(host, node.name());
            });
        }
    }

    /** Returns the node with a hostname; the hostname itself if there is none. */
    String nodeOf(String host) {
        return names.getOrDefault(host, host);
    }

    /** Returns the hostname of a node. */
    String hostOf(String node) throws KubernetesRejection {
        String host = hosts.get(node);
        if (host == null) {
            throw new KubernetesRejection("node %s does not exist or is in no managed pool".formatted(node));
        }
        return host;
    }

    /** Returns the number of GPUs of a node, free or not; 0 if it does not exist. */
    int slots(String node) {
        PlatformNode found = nodes.get(node);
        return found == null ? 0 : found.slots();
    }

    Optional<String> poolOf(String node) {
        return Optional.ofNullable(nodes.get(node)).map(PlatformNode::pool);
    }

    /** Returns the pool of all nodes with GPUs if there is exactly one. */
    Optional<String> onlyPool() {
        Set<String> pools = nodes.values().stream()
                .filter(node -> node.slots() > 0)
                .map(PlatformNode::pool)
                .collect(Collectors.toSet());
        return pools.size() == 1 ? pools.stream().findFirst() : Optional.empty();
    }

    /** Returns the GPUs of the largest node of a pool. */
    int largest(String pool) {
        return nodes.values().stream()
                .filter(node -> Objects.equals(node.pool(), pool))
                .mapToInt(PlatformNode::slots)
                .max()
                .orElse(0);
    }
}
