package dev.spur.policies.support;

import java.util.List;

/** How a policy chooses nodes for a gang. */
public interface PlacementRule {
    /**
     * Places for {@code slots} of a gang.
     *
     * @param nodes nodes that are open to it and have at least one slot that it can use, ascending by number
     * @return spots on different nodes that add up to {@code slots}; empty if there are none
     */
    List<NodeSlots> spots(List<FreeNode> nodes, Gang gang);

    /**
     * A node with room.
     *
     * @param node its number
     * @param free slots of it that the gang could use
     * @param slots slots that it has, in use or not
     */
    record FreeNode(int node, int free, int slots) {
        boolean isIdle() {
            return free == slots;
        }
    }

    /**
     * What is to be placed.
     *
     * @param slots slots, at least 1
     * @param fewestNodes nodes that it would take at least on the largest nodes of its lane
     * @param consolidate true if it may not be on more than those
     * @param wholeNodes true if on several nodes it needs each of them whole
     * @param nodeSizes slots of the nodes of its lane, each size once
     */
    record Gang(int slots, int fewestNodes, boolean consolidate, boolean wholeNodes, List<Integer> nodeSizes) {
        public Gang {
            nodeSizes = List.copyOf(nodeSizes);
        }

        /** True if nodes of one size, all of it used, could make up the gang. */
        boolean isDivisible() {
            return nodeSizes.stream().anyMatch(size -> slots % size == 0);
        }
    }
}
