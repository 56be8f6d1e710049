package dev.spur.benchmarks.reality;

import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.cluster.NodeKind;
import java.util.List;

/** Nodes of a scenario, all of one accelerator type. A broken accelerator is missing from its node. */
enum Hardware {
    ONE_OF_8(node(8)),
    TWO_OF_8(node(8), node(8)),
    THREE_OF_8(node(8), node(8), node(8)),
    FOUR_OF_8(node(8), node(8), node(8), node(8)),
    EIGHT_AND_FOUR(node(8), node(4)),
    UNEVEN(node(8), node(8), node(7), node(6), node(3)),
    ONE_BROKEN(node(8), node(8), node(7)),
    TWO_BROKEN(node(8), node(7), node(7)),
    TWO_OF_8_AT_TWO_PRICES(nodeAt(2), nodeAt(2.5)),
    TWO_PRICES(nodeAt(2), nodeAt(2), nodeAt(2.5), nodeAt(2.5));

    static final String TYPE = "A100";
    /** Slots of the largest node, on all hardware. */
    static final int LARGEST_NODE = 8;

    @SuppressWarnings("ImmutableEnumChecker") // records in an unmodifiable list
    private final List<NodeKind> kinds;

    Hardware(NodeKind... kinds) {
        this.kinds = List.of(kinds);
    }

    private static NodeKind node(int slots) {
        return NodeKind.of(TYPE, 1, slots);
    }

    private static NodeKind nodeAt(double price) {
        return new NodeKind(TYPE, 1, 8, null, null, null, null, price, null, null, null);
    }

    ClusterFile file() {
        return new ClusterFile(kinds);
    }

    int nodes() {
        return kinds.size();
    }

    int slots() {
        return file().slots();
    }
}
