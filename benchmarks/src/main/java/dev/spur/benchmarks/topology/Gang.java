package dev.spur.benchmarks.topology;

import dev.spur.model.cluster.TopologyLevel;

/**
 * Job that runs on whole nodes.
 *
 * @param id its name
 * @param nodes number of its nodes
 * @param rounds number of rounds for which it runs
 * @param arrival round of its arrival
 */
record Gang(String id, int nodes, int rounds, int arrival) {
    /** Returns the lowest level with domains that hold the gang, which it prefers. */
    TopologyLevel preferredLevel() {
        return nodes <= RackedCluster.NODES_PER_RACK ? TopologyLevel.RACK : TopologyLevel.BLOCK;
    }

    int slots() {
        return nodes * RackedCluster.SLOTS;
    }
}
