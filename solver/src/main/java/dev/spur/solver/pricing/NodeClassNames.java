package dev.spur.solver.pricing;

import dev.spur.solver.candidate.ClusterIndex;
import dev.spur.solver.candidate.NodeClass;

/** Names of node classes in the names of rows. */
final class NodeClassNames {
    private NodeClassNames() {}

    /** Returns pool, type, and the suffix that distinguishes classes of equal pool and type. */
    static String of(ClusterIndex hardware, NodeClass nodeClass) {
        return plain(nodeClass) + suffix(hardware, nodeClass);
    }

    /** Returns pool and type. */
    static String plain(NodeClass nodeClass) {
        return nodeClass.pool() + "/" + nodeClass.acceleratorType();
    }

    /** Returns the suffix that distinguishes classes of equal pool and type; empty if there is only one. */
    static String suffix(ClusterIndex hardware, NodeClass nodeClass) {
        long alike = hardware.classes().stream()
                .filter(other -> plain(other).equals(plain(nodeClass)))
                .count();
        String first = hardware.nodes().get(nodeClass.nodes().get(0)).id();
        return alike == 1 ? "" : " (nodes like " + first + ")";
    }
}
