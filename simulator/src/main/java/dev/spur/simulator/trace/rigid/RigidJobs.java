package dev.spur.simulator.trace.rigid;

import dev.spur.model.cluster.Node;
import dev.spur.simulator.trace.TraceJob;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Makes jobs of a fixed number of slots for a fixed time, as readers of this package do. */
public final class RigidJobs {
    private final RigidSpecs specs;

    /**
     * @param nodes the cluster; its types are those on which the jobs run
     * @param restartSeconds time lost with each start after the first
     */
    public RigidJobs(List<Node> nodes, double restartSeconds) {
        specs = new RigidSpecs(nodes, restartSeconds);
    }

    /** A job that arrives at {@code arrival} and takes {@code seconds} on {@code slots}. */
    public TraceJob job(String id, double arrival, int slots, double seconds) {
        return specs.job(
                new TraceRow(
                        id,
                        RigidTraceDefaults.TENANT,
                        OptionalDouble.of(arrival),
                        OptionalInt.of(slots),
                        OptionalDouble.of(seconds)),
                0);
    }
}
