package dev.spur.solver.pricing;

import dev.spur.solver.candidate.ClusterIndex;
import dev.spur.solver.candidate.NodeClass;

/** Names of node classes in the names of rows. */
final class NodeClassNames {
    private NodeClassNames() {}

    /** Pool and type, and what tells classes of the same pool and type apart. */
    static String of(ClusterIndex hardware, NodeClass nodeClass) {
        return plain(nodeClass) + suffix(hardware, nodeClass);
    }

    /** Pool and type. */
    static String plain(NodeClass nodeClass) {
        return nodeClass.pool() + "/" + nodeClass.acceleratorType();
    }

    /** What tells classes of the same pool and type apart; empty if there is one. */
    static String suffix(ClusterIndex hardware, NodeClass nodeClass) {
        long alike = hardware.classes().stream()
                .filter(other -> plain(other).equals(plain(nodeClass)))
                .count();
        String first = hardware.nodes().get(nodeClass.nodes().get(0)).id();
        return alike == 1 ? "" : " (nodes like " + first + ")";
    }
}
