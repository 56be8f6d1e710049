package dev.spur.connectors.kubernetes;

import dev.spur.connectors.PlatformNode.Condition;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * The nodes whose kubelets do not report. The pods of such a node may run on, so a node is lost only after some time of
 * silence. No node is lost while more than half of the nodes are silent: then the network or the control plane is the
 * likely cause.
 */
final class SilentNodes {
    private static final int MAX_NAMES = 3;

    private final Map<String, Instant> since;
    private final int total;
    private final Duration lostAfter;
    private final Instant now;

    /**
     * Finds the silent nodes.
     *
     * @param nodes the nodes of all pools
     * @param lostAfter time of silence after which a node is lost
     */
    SilentNodes(Collection<? extends JsonNode> nodes, Duration lostAfter, Instant now) {
        this.since = new TreeMap<>();
        this.total = nodes.size();
        this.lostAfter = lostAfter;
        this.now = now;
        for (JsonNode node : nodes) {
            silence(node).ifPresent(at -> since.put(node.at("/metadata/name").asString(), at));
        }
    }

    /** Returns the start of a node's silence; empty if the node reports. */
    private static Optional<Instant> silence(JsonNode node) {
        JsonNode ready = ready(node);
        if (List.of("True", "False").contains(ready.path("status").asString(""))) {
            return Optional.empty();
        }
        String at = ready.path("lastTransitionTime")
                .asString(node.at("/metadata/creationTimestamp").asString(""));
        return Optional.of(at.isEmpty() ? Instant.EPOCH : Instant.parse(at));
    }

    /** Returns the condition Ready of a node; a missing node if it has none. */
    static JsonNode ready(JsonNode node) {
        return node.at("/status/conditions")
                .valueStream()
                .filter(condition -> condition.path("type").asString("").equals("Ready"))
                .findFirst()
                .orElseGet(() -> node.path("none"));
    }

    /** Returns the condition of a silent node; empty if the node reports. */
    Optional<Condition> condition(String node) {
        return Optional.ofNullable(since.get(node)).map(at -> isLost(at) ? Condition.LOST : Condition.CLOSED);
    }

    private boolean isLost(Instant at) {
        return !isMajority() && !now.isBefore(at.plus(lostAfter));
    }

    private boolean isMajority() {
        return 2 * since.size() > total;
    }

    /** Returns what follows from the silence of a node; empty if the node reports. */
    Optional<String> note(String node, List<Pod> pods) {
        Optional<String> remedy = remedy(node, pods);
        return remedy.isPresent()
                ? remedy
                : Optional.ofNullable(since.get(node)).map(this::note);
    }

    private String note(Instant at) {
        if (isMajority()) {
            return "its kubelet has not reported since %s, like most nodes (%d of %d): their jobs stay. "
                            .formatted(time(at), since.size(), total)
                    + "Check the network between nodes and API server";
        }
        return isLost(at)
                ? "its kubelet has not reported since %s: its jobs are planned on other nodes".formatted(time(at))
                : "its kubelet has not reported since %s: it gets no new jobs, and its jobs stay until %s"
                        .formatted(time(at), time(at.plus(lostAfter)));
    }

    private static Instant time(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS);
    }

    /** Returns the pods that were requested to end on silent nodes, with the remedy; empty if there are none. */
    Optional<String> remedy(List<Pod> pods) {
        String all = since.keySet().stream()
                .flatMap(node -> remedy(node, pods).stream())
                .collect(Collectors.joining("; "));
        return Optional.of(all).filter(text -> !text.isEmpty());
    }

    private Optional<String> remedy(String node, List<Pod> pods) {
        Instant at = since.get(node);
        List<String> names = pods.stream()
                .filter(pod -> pod.ending() && pod.isActive() && pod.node().equals(node))
                .map(pod -> pod.namespace() + "/" + pod.name())
                .sorted(Comparator.naturalOrder())
                .toList();
        if (at == null || names.isEmpty()) {
            return Optional.empty();
        }
        String shown = String.join(", ", names.subList(0, Math.min(MAX_NAMES, names.size())))
                + (names.size() > MAX_NAMES ? " and %d more".formatted(names.size() - MAX_NAMES) : "");
        return Optional.of(
                ("pods %1$s were requested to end, but the kubelet of node %2$s has not reported since %3$s, so"
                                + " they may still run. If the machine is off, run kubectl delete node %2$s, or"
                                + " kubectl taint node %2$s node.kubernetes.io/out-of-service=off:NoExecute")
                        .formatted(shown, node, time(at)));
    }
}
