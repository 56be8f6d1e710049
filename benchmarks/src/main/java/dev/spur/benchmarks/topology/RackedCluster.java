package dev.spur.benchmarks.topology;

import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Cluster of equal nodes in racks of 16, and racks in blocks of 8. */
public final class RackedCluster {
    static final int SLOTS = 8;
    static final int NODES_PER_RACK = 16;
    static final int RACKS_PER_BLOCK = 8;
    static final String POOL = "main";
    static final String TYPE = "H100";

    private final List<Node> nodes;

    /** @param blocks number of blocks, of 128 nodes each */
    public RackedCluster(int blocks) {
        List<String> devices =
                IntStream.range(0, SLOTS).mapToObj(Integer::toString).toList();
        nodes = IntStream.range(0, blocks * RACKS_PER_BLOCK * NODES_PER_RACK)
                .mapToObj(v -> new Node("n" + v, POOL, "r" + rackOf(v), TYPE, devices, 96, 1024, 0, 0, NodeState.ACTIVE)
                        .withLabels(Map.of(Node.BLOCK_LABEL, "b" + rackOf(v) / RACKS_PER_BLOCK)))
                .toList();
    }

    List<Node> nodes() {
        return nodes;
    }

    static int rackOf(int v) {
        return v / NODES_PER_RACK;
    }
}
