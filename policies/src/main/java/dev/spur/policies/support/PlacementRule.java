package dev.spur.policies.support;

import java.util.List;

/** Rule by which a policy chooses nodes for a gang. */
public interface PlacementRule {
    /**
     * Chooses nodes for a gang.
     *
     * @param nodes nodes that the gang may use, each with at least one usable slot, ascending by number
     * @return slots on different nodes that add up to those of the gang; empty if the gang does not fit
     */
    List<NodeSlots> place(List<FreeNode> nodes, Gang gang);

    /**
     * A node with free slots.
     *
     * @param node node number
     * @param free slots that the gang could use
     * @param slots slots of the node, free or not
     */
    record FreeNode(int node, int free, int slots) {
        boolean isIdle() {
            return free == slots;
        }
    }

    /**
     * A gang to place.
     *
     * @param slots slots, at least 1
     * @param minNodes number of nodes that it needs on the largest nodes of its partition
     * @param consolidate true if it may use no more than {@code minNodes} nodes
     * @param wholeNodes true if a gang on several nodes needs all slots of each
     * @param nodeSizes slots of the nodes of its partition, each size once
     */
    record Gang(int slots, int minNodes, boolean consolidate, boolean wholeNodes, List<Integer> nodeSizes) {
        public Gang {
            nodeSizes = List.copyOf(nodeSizes);
        }

        /** Returns true if fully used nodes of one size could form the gang. */
        boolean isDivisible() {
            return nodeSizes.stream().anyMatch(size -> slots % size == 0);
        }
    }
}
