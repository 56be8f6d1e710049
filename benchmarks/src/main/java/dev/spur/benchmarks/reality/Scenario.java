package dev.spur.benchmarks.reality;

import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.replay.ClusterConfig;
import dev.spur.simulator.replay.ReplaySettings;
import dev.spur.simulator.trace.Trace;

/**
 * Scenario to replay.
 *
 * @param className name of its class
 * @param seed seed of its random choices
 * @param trace jobs
 * @param nodes nodes of {@code cluster}
 * @param cluster nodes, tenants and reservations
 * @param settings settings of the replay, with its end
 */
record Scenario(
        String className, long seed, Trace trace, ClusterFile nodes, ClusterConfig cluster, ReplaySettings settings) {
    /** Returns the name of the class and the seed. */
    String id() {
        return className + ":" + seed;
    }
}
