package dev.spur.simulator.trace.measured;

import dev.spur.model.allocation.Shapes;
import dev.spur.model.cluster.Node;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Accelerator types in the order of the nodes, with the slots of each type in total and on its largest node. */
final class AcceleratorInventory {
    private final Map<String, int[]> slotsOf = new LinkedHashMap<>();

    /**
     * Creates the inventory of {@code nodes}.
     *
     * @param known types to assume if there are no nodes, with an unlimited number of nodes of 8 slots each
     */
    AcceleratorInventory(List<Node> nodes, Set<String> known) {
        for (Node node : nodes) {
            if (node.acceleratorType() != null && node.slots() > 0) {
                int[] slots = slotsOf.computeIfAbsent(node.acceleratorType(), type -> new int[2]);
                slots[0] += node.slots();
                slots[1] = Math.max(slots[1], node.slots());
            }
        }
        if (slotsOf.isEmpty()) {
            known.forEach(type -> slotsOf.put(type, new int[] {Integer.MAX_VALUE, 8}));
        }
    }

    Set<String> types() {
        return slotsOf.keySet();
    }

    /** Returns the number of slots of a type. */
    int slots(String type) {
        return slotsOf.getOrDefault(type, new int[2])[0];
    }

    /** Returns the slots of the largest node of a type, at least 1. */
    int perNode(String type) {
        return Math.max(1, slotsOf.getOrDefault(type, new int[2])[1]);
    }

    /** Returns the shape of {@code slots} on the minimum number of nodes. */
    List<Integer> tight(String type, int slots) {
        return Shapes.consolidate(slots, perNode(type));
    }
}
