package dev.spur.solver.candidate;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Profile of nodes: pool, type and slots per node. Its classes differ only in price, reservations and maintenance, so
 * that a job has the same configurations on all of them.
 *
 * @param pool pool of the nodes
 * @param acceleratorType type of their devices
 * @param slotsPerNode devices per node
 * @param nodes number of nodes of the largest class
 * @param cpus host CPUs of the node that has most
 * @param memoryGiB host memory of the node that has most, GiB
 */
record NodeProfile(String pool, String acceleratorType, int slotsPerNode, int nodes, double cpus, double memoryGiB) {
    /** Returns the profile of {@code nodeClass}, one of {@code classes}. */
    static NodeProfile of(NodeClass nodeClass, List<NodeClass> classes) {
        List<NodeClass> alike = classes.stream()
                .filter(other -> other.slotsPerNode() == nodeClass.slotsPerNode()
                        && other.pool().equals(nodeClass.pool())
                        && other.acceleratorType().equals(nodeClass.acceleratorType()))
                .toList();
        return new NodeProfile(
                nodeClass.pool(),
                nodeClass.acceleratorType(),
                nodeClass.slotsPerNode(),
                (int) max(alike, other -> other.nodes().size()),
                max(alike, NodeClass::cpus),
                max(alike, NodeClass::memoryGiB));
    }

    private static double max(List<NodeClass> classes, ToDoubleFunction<NodeClass> amount) {
        return classes.stream().mapToDouble(amount).max().orElse(0);
    }
}
