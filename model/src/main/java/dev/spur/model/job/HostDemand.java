package dev.spur.model.job;

import dev.spur.model.Checks;
import dev.spur.model.cluster.Node;
import java.util.Collection;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Host resources that each slot of a job requires of its node in addition to the accelerator.
 *
 * @param cpusPerSlot host CPUs
 * @param memoryGiBPerSlot host memory, GiB
 */
public record HostDemand(double cpusPerSlot, double memoryGiBPerSlot) {
    /** No host resources. */
    public static final HostDemand NONE = new HostDemand(0, 0);

    /** Tolerance of CPUs and GiB. */
    private static final double TOLERANCE = 1e-9;

    public HostDemand {
        Checks.atLeast("cpusPerSlot", cpusPerSlot, 0);
        Checks.atLeast("memoryGiBPerSlot", memoryGiBPerSlot, 0);
    }

    /** Returns the number of slots of the idle {@code node} for which its host suffices. */
    public int slotsOn(Node node) {
        return (int) Math.min(
                node.slots(), Math.min(held(node.cpus(), cpusPerSlot), held(node.memoryGiB(), memoryGiBPerSlot)));
    }

    private static double held(double supply, double perSlot) {
        return perSlot == 0 ? Double.POSITIVE_INFINITY : Math.floor((supply + TOLERANCE) / perSlot);
    }

    /**
     * Returns the largest gang: the maximum number of slots of one job on the idle {@code nodes}.
     *
     * @param maxNodes maximum number of its nodes; null for no limit
     */
    public int largestGang(Collection<Node> nodes, @Nullable Integer maxNodes) {
        long slots = nodes.stream()
                .map(this::slotsOn)
                .sorted(Comparator.reverseOrder())
                .limit(maxNodes == null ? Long.MAX_VALUE : maxNodes)
                .mapToLong(Integer::longValue)
                .sum();
        return (int) Math.min(Integer.MAX_VALUE, slots);
    }
}
