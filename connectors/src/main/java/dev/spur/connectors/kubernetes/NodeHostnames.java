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
 * The nodes of all pools, by name and by the host name that pods are tied to. They are mostly the same, but need not
 * be.
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

    /** The name of the node with a host name; the host name itself if there is none. */
    String nodeOf(String host) {
        return names.getOrDefault(host, host);
    }

    /** The host name of a node. */
    String hostOf(String node) throws KubernetesRejection {
        String host = hosts.get(node);
        if (host == null) {
            throw new KubernetesRejection("node %s is not there, or in no pool".formatted(node));
        }
        return host;
    }

    /** GPUs of a node, whoever holds them; 0 if it is not there. */
    int slots(String node) {
        PlatformNode found = nodes.get(node);
        return found == null ? 0 : found.slots();
    }

    Optional<String> poolOf(String node) {
        return Optional.ofNullable(nodes.get(node)).map(PlatformNode::pool);
    }

    /** The pool of all nodes with GPUs, if there is only one. */
    Optional<String> onlyPool() {
        Set<String> pools = nodes.values().stream()
                .filter(node -> node.slots() > 0)
                .map(PlatformNode::pool)
                .collect(Collectors.toSet());
        return pools.size() == 1 ? pools.stream().findFirst() : Optional.empty();
    }

    /** GPUs of the largest node of a pool. */
    int largest(String pool) {
        return nodes.values().stream()
                .filter(node -> Objects.equals(node.pool(), pool))
                .mapToInt(PlatformNode::slots)
                .max()
                .orElse(0);
    }
}
