package dev.spur.connectors.kubernetes;

import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Nodes of all pools by name and by hostname label. Pods are pinned by the hostname, which usually but not always
 * equals the name.
 */
final class NodeHostnames {
    private final Map<String, PlatformNode> nodes = new HashMap<>();
    private final Map<String, String> hosts = new HashMap<>();
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, JsonNode> objects = new TreeMap<>();

    NodeHostnames(List<? extends JsonNode> objects, KubernetesNodeReader reader) {
        for (JsonNode object : objects) {
            reader.read(object, NodeUsage.NONE, Optional.empty()).ifPresent(node -> {
                String host = object.at("/metadata/labels")
                        .path(KubernetesNodeReader.HOSTNAME)
                        .asString(node.name());
                nodes.put(node.name(), node);
                hosts.put(node.name(), host);
                names.put(host, node.name());
                this.objects.put(node.name(), object);
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

    /**
     * Checks that the pods of a job may run on a node.
     *
     * @throws KubernetesRejection with the requirement that the node does not meet
     */
    void check(String node, PodSets shape) throws KubernetesRejection {
        hostOf(node);
        Optional<String> unmet = unmet(Objects.requireNonNull(objects.get(node)), shape);
        if (unmet.isPresent()) {
            throw new KubernetesRejection("%s, which excludes node %s".formatted(unmet.get(), node));
        }
    }

    /** Returns the nodes with GPUs of a pool that a job excludes and prefers. */
    PlatformJob.NodeSelection selection(String pool, PodSets shape) {
        List<String> excluded = excludedNodes(pool, shape);
        Map<String, Long> weights = new TreeMap<>();
        nodesOf(pool)
                .filter(node -> !excluded.contains(node.getKey()))
                .forEach(node -> weights.put(node.getKey(), weight(node.getValue(), shape)));
        long most = weights.values().stream().mapToLong(weight -> weight).max().orElse(0);
        List<String> preferred = weights.keySet().stream()
                .filter(node -> weights.getOrDefault(node, 0L) == most)
                .toList();
        return new PlatformJob.NodeSelection(excluded, preferred.size() == weights.size() ? List.of() : preferred);
    }

    /** Returns the sum of the weights of all roles for a node. */
    private static long weight(JsonNode node, PodSets shape) {
        return shape.roles().stream()
                .mapToLong(role -> NodeRequirements.preference(role.template().path("spec"), node))
                .sum();
    }

    /** Returns the nodes with GPUs of a pool that do not meet all requirements of a job. */
    private List<String> excludedNodes(String pool, PodSets shape) {
        return nodesOf(pool)
                .filter(node -> unmet(node.getValue(), shape).isPresent())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns a requirement of a job that excludes a node of its pool if all nodes are excluded; otherwise empty. */
    Optional<String> unmetEverywhere(String pool, PodSets shape) {
        List<String> excluded = excludedNodes(pool, shape);
        return excluded.isEmpty() || excluded.size() < nodesOf(pool).count()
                ? Optional.empty()
                : unmet(Objects.requireNonNull(objects.get(excluded.get(0))), shape)
                        .map(unmet ->
                                "%s, which excludes node %s, and its requirements exclude all other nodes of pool %s"
                                        .formatted(unmet, excluded.get(0), pool));
    }

    private Stream<Map.Entry<String, JsonNode>> nodesOf(String pool) {
        return objects.entrySet().stream()
                .filter(node ->
                        slots(node.getKey()) > 0 && poolOf(node.getKey()).equals(Optional.of(pool)));
    }

    private static Optional<String> unmet(JsonNode node, PodSets shape) {
        return shape.roles().stream()
                .flatMap(role -> NodeRequirements.unmet(role.template().path("spec"), node).stream())
                .findFirst();
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
