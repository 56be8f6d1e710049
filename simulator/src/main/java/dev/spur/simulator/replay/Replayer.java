package dev.spur.simulator.replay;

import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.trace.Trace;
import dev.spur.solver.policy.Policy;

/** Entry point to replays of traces. */
public final class Replayer {
    private Replayer() {}

    /**
     * Replays {@code trace} on {@code cluster} under {@code policy}.
     *
     * @throws ReplayFailure if the plan validator rejects a decision
     */
    public static Replay replay(
            Trace trace, ClusterFile cluster, Policy policy, ReplaySettings settings, ProgressListener progress) {
        return replay(trace, ClusterConfig.of(cluster, trace), policy, settings, progress);
    }

    /**
     * Replays {@code trace} on {@code cluster} under {@code policy}.
     *
     * @throws ReplayFailure if the plan validator rejects a decision
     */
    public static Replay replay(
            Trace trace, ClusterConfig cluster, Policy policy, ReplaySettings settings, ProgressListener progress) {
        return new Simulation(trace, cluster, policy, settings, progress).run();
    }
}
