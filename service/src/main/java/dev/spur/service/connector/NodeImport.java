package dev.spur.service.connector;

import dev.spur.connectors.PlatformNode;
import dev.spur.connectors.PlatformNode.Condition;
import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.cluster.Pool;
import dev.spur.service.round.RoundTrigger;
import dev.spur.service.store.AcceleratorTypeStore;
import dev.spur.service.store.ConnectorJobStore;
import dev.spur.service.store.NodeStore;
import dev.spur.service.store.PoolStore;
import dev.spur.service.store.Versioned;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Enters the nodes of a platform into the cluster. Of a node that is there, what the platform knows follows the platform; rack,
 * price, aggregation slots, and whether it drains, are the operator's. Slots that jobs hold which Spur does not run are left out.
 */
@Component
class NodeImport {
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
     * Enters nodes. Belongs into a transaction.
     *
     * @param fixed slots by node that jobs hold which Spur does not run
     * @return what could not be entered, for people
     */
    List<String> enter(String connector, List<PlatformNode> seen, Map<String, Integer> fixed) {
        Map<String, String> before = owned.nodes(connector);
        Map<String, List<String>> planned = owned.devicesInPlan();
        Set<String> others = owned.poolsOfOthers(connector);
        List<String> notes = new ArrayList<>();
        Set<String> gone = new HashSet<>(before.keySet());
        for (PlatformNode node : seen) {
            gone.remove(node.name());
            node.notes().forEach(note -> notes.add("node %s: %s".formatted(node.name(), note)));
            Node known = nodes.lock(node.name()).map(Versioned::value).orElse(null);
            if (known != null && !before.containsKey(node.name())) {
                notes.add("node %s is registered already, and not by this connector".formatted(node.name()));
                continue;
            }
            if (others.contains(node.pool())) {
                // jobs of one platform would be planned onto nodes of another
                notes.add("pool %s of node %s has nodes of others".formatted(node.pool(), node.name()));
                if (known == null) {
                    continue;
                }
            }
            List<String> devices = devices(
                    node.slots(), fixed.getOrDefault(node.name(), 0), planned.getOrDefault(node.name(), List.of()));
            enter(connector, node, known, before.get(node.name()), devices);
        }
        for (String name : gone) {
            nodes.lock(name)
                    .map(Versioned::value)
                    .filter(node -> node.state() != NodeState.LOST)
                    .ifPresent(node -> replace(node.withState(NodeState.LOST)));
            owned.node(connector, name, Condition.LOST.name());
        }
        return notes;
    }

    private void enter(
            String connector,
            PlatformNode seen,
            @Nullable Node known,
            @Nullable String conditionBefore,
            List<String> devices) {
        String type = seen.acceleratorType();
        if (type != null && types.find(type).isEmpty()) {
            types.insert(new AcceleratorType(type, 0));
        }
        if (pools.find(seen.pool()).isEmpty()) {
            pools.insert(new Pool(seen.pool(), false));
        }
        Node now = new Node(
                seen.name(),
                seen.pool(),
                known == null ? null : known.rack(),
                type,
                devices,
                seen.cpus(),
                seen.memoryGiB(),
                known == null ? 0 : known.aggregationSlots(),
                known == null ? 0 : known.pricePerSlotHour(),
                state(seen.condition(), known, conditionBefore));
        if (known == null) {
            nodes.insert(now);
            trigger.changed("node of a connector");
        } else if (!now.equals(known)) {
            replace(now);
        }
        if (!seen.condition().name().equals(conditionBefore)) {
            owned.node(connector, seen.name(), seen.condition().name());
        }
    }

    private void replace(Node node) {
        nodes.replace(node);
        trigger.changed("node of a connector");
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
     * Names of the devices that Spur may plan with. One device is as good as another for the platform: those that jobs have by
     * the plan are kept, so that a fixed load does not seem to take just these away.
     */
    static List<String> devices(int slots, int fixed, List<String> planned) {
        int count = Math.max(0, slots - fixed);
        Set<String> kept = new LinkedHashSet<>();
        List<String> all = new ArrayList<>();
        for (int d = 0; d < slots; d++) {
            all.add(Integer.toString(d));
        }
        planned.stream().filter(all::contains).limit(count).forEach(kept::add);
        for (String device : all) {
            if (kept.size() < count) {
                kept.add(device);
            }
        }
        return all.stream().filter(kept::contains).toList();
    }
}
