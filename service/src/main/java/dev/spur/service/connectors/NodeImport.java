package dev.spur.service.connectors;

import dev.spur.connectors.PlatformNode;
import dev.spur.connectors.PlatformNode.Condition;
import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.cluster.Pool;
import dev.spur.service.cluster.AcceleratorTypeStore;
import dev.spur.service.cluster.NodeStore;
import dev.spur.service.cluster.PoolStore;
import dev.spur.service.database.RoundTrigger;
import dev.spur.service.database.Versioned;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Import of the nodes of a platform into the cluster. The state known to the platform follows the platform; price,
 * aggregation slots, draining, and a rack and block that the platform does not state belong to the operator. Unmanaged
 * slots are excluded.
 */
@Component
class NodeImport {
    /** Seconds for which a node may be missing from the list before it is marked lost. */
    static final double MISSING_SECONDS = 10;

    private final NodeStore nodes;
    private final PoolStore pools;
    private final AcceleratorTypeStore types;
    private final ConnectorJobStore owned;
    private final RoundTrigger trigger;

    NodeImport(
            NodeStore nodes,
            PoolStore pools,
            AcceleratorTypeStore types,
            ConnectorJobStore owned,
            RoundTrigger trigger) {
        this.nodes = nodes;
        this.pools = pools;
        this.types = types;
        this.owned = owned;
        this.trigger = trigger;
    }

    /**
     * Imports nodes.
     *
     * @param fixed unmanaged slots by node
     * @return messages about nodes that could not be imported
     */
    @Transactional
    List<String> enter(String connector, List<PlatformNode> seen, Map<String, Integer> fixed) {
        Map<String, String> before = owned.nodes(connector);
        Map<String, List<String>> planned = owned.devicesInPlan();
        Set<String> others = owned.poolsOfOthers(connector);
        Set<String> foreign = foreignNodes(seen, before.keySet());
        keepWhatIsReferredTo(seen.stream()
                .filter(node -> !foreign.contains(node.name()))
                .filter(node -> before.containsKey(node.name()) || !others.contains(node.pool()))
                .toList());
        List<String> notes = new ArrayList<>();
        for (PlatformNode node : seen) {
            node.notes().forEach(note -> notes.add("node %s: %s".formatted(node.name(), note)));
            Node known = nodes.lock(node.name()).map(Versioned::value).orElse(null);
            boolean isForeign = foreign.contains(node.name()) || (known != null && !before.containsKey(node.name()));
            if (!isForeign && others.contains(node.pool())) {
                // Jobs of one platform would be planned onto nodes of another.
                notes.add("pool %s of node %s has nodes of others".formatted(node.pool(), node.name()));
                if (known == null) {
                    continue;
                }
            }
            List<String> devices = devices(
                    node.slots(), fixed.getOrDefault(node.name(), 0), planned.getOrDefault(node.name(), List.of()));
            if (isForeign || !enter(connector, node, known, before.get(node.name()), devices)) {
                notes.add("node %s is registered already, and not by this connector".formatted(node.name()));
            }
        }
        lose(connector, seen, before);
        return notes;
    }

    /** Returns names of nodes that others have registered. */
    private Set<String> foreignNodes(List<PlatformNode> seen, Set<String> own) {
        return seen.stream()
                .map(PlatformNode::name)
                .filter(name -> !own.contains(name))
                .filter(name -> nodes.find(name).isPresent())
                .collect(Collectors.toSet());
    }

    /**
     * Creates missing types and pools and locks all until the transaction ends, before any node is locked: a deletion
     * of one of them waits for the nodes that refer to it.
     */
    private void keepWhatIsReferredTo(List<PlatformNode> entering) {
        for (String type : sort(entering.stream().map(PlatformNode::acceleratorType))) {
            boolean areShares =
                    entering.stream().anyMatch(node -> node.hasShares() && type.equals(node.acceleratorType()));
            while (!types.keep(type)) {
                types.insert(new AcceleratorType(type, 0, areShares ? 1 : null, null));
            }
        }
        for (String pool : sort(entering.stream().map(PlatformNode::pool))) {
            while (!pools.keep(pool)) {
                pools.insert(new Pool(pool, false));
            }
        }
    }

    private static List<String> sort(Stream<@Nullable String> names) {
        return names.flatMap(Stream::ofNullable).distinct().sorted().toList();
    }

    /**
     * Cordons nodes that the platform does not list, and marks them lost after some time: a list may be incomplete for
     * a moment, for example while the platform starts.
     */
    private void lose(String connector, List<PlatformNode> seen, Map<String, String> before) {
        Set<String> gone = new HashSet<>(before.keySet());
        seen.forEach(node -> gone.remove(node.name()));
        owned.nodesSeen(connector, seen.stream().map(PlatformNode::name).toList());
        Set<String> missing = owned.nodesMissing(connector, MISSING_SECONDS);
        for (String name : gone) {
            Condition condition = missing.contains(name) ? Condition.LOST : Condition.CLOSED;
            nodes.lock(name)
                    .map(Versioned::value)
                    .filter(node -> node.state() != NodeState.LOST)
                    .ifPresent(node -> close(connector, node, condition, before.get(name)));
        }
    }

    private void close(String connector, Node node, Condition condition, @Nullable String before) {
        NodeState state = state(condition, node, before);
        if (state != node.state()) {
            replace(node.withState(state));
        }
        store(connector, node.id(), condition, node, before);
    }

    /**
     * Records the condition of a node. A node that the operator has cordoned stays cordoned when the platform opens it
     * again.
     */
    private void store(String connector, String name, Condition now, @Nullable Node known, @Nullable String before) {
        boolean byOperator = now == Condition.CLOSED
                && Condition.OPEN.name().equals(before)
                && known != null
                && (known.state() == NodeState.CORDONED || known.state() == NodeState.DRAINING);
        if (!byOperator && !now.name().equals(before)) {
            owned.node(connector, name, now.name());
        }
    }

    /** Returns false if another caller has registered the node at the same moment. */
    private boolean enter(
            String connector,
            PlatformNode seen,
            @Nullable Node known,
            @Nullable String conditionBefore,
            List<String> devices) {
        // A platform that reports no CPUs leaves those that the operator states.
        double cpus = seen.cpus() == 0 && known != null ? known.cpus() : seen.cpus();
        Node now = new Node(
                        seen.name(),
                        seen.pool(),
                        seen.rack() == null && known != null ? known.rack() : seen.rack(),
                        seen.acceleratorType(),
                        devices,
                        cpus,
                        seen.memoryGiB(),
                        known == null ? 0 : Math.min(known.aggregationSlots(), cpus),
                        known == null ? 0 : known.pricePerSlotHour(),
                        state(seen.condition(), known, conditionBefore))
                .withLabels(labels(seen, known));
        if (known == null) {
            if (!nodes.insert(now)) {
                return false;
            }
            trigger.requestRound("node of a connector");
        } else if (!now.equals(known)) {
            replace(now);
        }
        store(connector, seen.name(), seen.condition(), known, conditionBefore);
        return true;
    }

    private static Map<String, String> labels(PlatformNode seen, @Nullable Node known) {
        Map<String, String> labels = new HashMap<>(known == null ? Map.of() : known.labels());
        if (seen.block() != null) {
            labels.put(Node.BLOCK_LABEL, seen.block());
        }
        return labels;
    }

    private void replace(Node node) {
        nodes.replace(node);
        trigger.requestRound("node of a connector");
    }

    private static NodeState state(Condition now, @Nullable Node known, @Nullable String before) {
        if (now == Condition.LOST) {
            return NodeState.LOST;
        }
        NodeState state = known == null ? NodeState.ACTIVE : known.state();
        boolean changed = !Objects.equals(now.name(), before);
        if (now == Condition.CLOSED) {
            return state == NodeState.DRAINING ? state : NodeState.CORDONED;
        }
        return changed || state == NodeState.LOST ? NodeState.ACTIVE : state;
    }

    /**
     * Returns the names of the devices that Spur may schedule. Devices are interchangeable for the platform. Devices of
     * the plan's jobs are preferred, so that unmanaged usage does not appear to take them away.
     */
    static List<String> devices(int slots, int fixed, List<String> planned) {
        int count = Math.max(0, slots - fixed);
        Set<String> retained = new LinkedHashSet<>();
        List<String> all = new ArrayList<>();
        for (int d = 0; d < slots; d++) {
            all.add(Integer.toString(d));
        }
        planned.stream().filter(all::contains).limit(count).forEach(retained::add);
        for (String device : all) {
            if (retained.size() < count) {
                retained.add(device);
            }
        }
        return all.stream().filter(retained::contains).toList();
    }
}
