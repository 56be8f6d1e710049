package dev.spur.solver.candidate;

import java.util.List;

/**
 * Nodes of a class that admit the same jobs. They may differ in slots and hosts.
 *
 * @param index place in {@link ClusterIndex#atoms()}
 * @param nodeClass index of the class
 * @param name name of the nodes, with their first node if the class has further atoms
 * @param firstNode id of the first node
 * @param price the equal price of a slot for an hour where prices count in the objective; otherwise the maximum
 * @param isLimitedInTime whether a coming window keeps some job off
 * @param nodes indices into {@link ClusterIndex#nodes()}, ascending
 */
public record NodeAtom(
        int index,
        int nodeClass,
        NodeClassName name,
        String firstNode,
        double price,
        boolean isLimitedInTime,
        List<Integer> nodes) {
    public NodeAtom {
        nodes = List.copyOf(nodes);
    }
}
