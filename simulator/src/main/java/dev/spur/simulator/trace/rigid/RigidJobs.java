package dev.spur.simulator.trace.rigid;

import dev.spur.model.cluster.Node;
import dev.spur.simulator.trace.TraceJob;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Factory of jobs with a fixed number of slots and a fixed duration, as created by the readers of this package. */
public final class RigidJobs {
    private final RigidSpecs specs;

    /**
     * Creates a factory.
     *
     * @param nodes nodes of the cluster; jobs run on their types
     * @param restartSeconds seconds lost with each start after the first
     */
    public RigidJobs(List<Node> nodes, double restartSeconds) {
        specs = new RigidSpecs(nodes, restartSeconds);
    }

    /** Creates a job that arrives at {@code arrival} and takes {@code seconds} on {@code slots}. */
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
