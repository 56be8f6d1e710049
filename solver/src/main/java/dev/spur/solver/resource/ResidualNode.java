package dev.spur.solver.resource;

import dev.spur.model.job.Elasticity;
import dev.spur.solver.candidate.HostLimits;
import dev.spur.solver.placement.ResidualCluster;
import java.util.List;

/**
 * Remaining capacity of a node: its pieces use at most its slots, CPUs and memory.
 *
 * @param slots free devices
 * @param rooms free parts of the devices that jobs share, ascending; only those with a free part
 * @param cpus free host CPUs
 * @param memoryGiB free host memory, GiB
 * @param atom index of the atom of the node
 */
public record ResidualNode(int slots, List<Integer> rooms, double cpus, double memoryGiB, int atom) {
    /** Tolerance of CPUs and memory, at least that of the plan validator. */
    private static final double TOLERANCE = 1e-6;

    /** A node without shared devices. */
    public ResidualNode(int slots, double cpus, double memoryGiB, int atom) {
        this(slots, List.of(), cpus, memoryGiB, atom);
    }

    /** Returns the remaining capacity of node {@code v}. */
    public static ResidualNode of(ResidualCluster residualCluster, int v) {
        return new ResidualNode(
                residualCluster.slots(v),
                residualCluster.rooms().of(v),
                residualCluster.cpus(v),
                residualCluster.memory(v),
                residualCluster.atom(v));
    }

    /** Returns this node without limits of the resources that cannot be short by {@code limits}. */
    public ResidualNode within(HostLimits limits) {
        return new ResidualNode(slots, rooms, limits.cpus() ? cpus : 0, limits.memory() ? memoryGiB : 0, atom);
    }

    /** Returns the maximum number of pieces of {@code kind} that the node holds. */
    public int max(NodeShareKind kind) {
        int count = !provides(kind) ? 0 : kind.isWhole() ? slots / kind.size() : shares(kind.parts());
        while (count > 0 && !hostHolds(kind, count)) {
            count--;
        }
        return count;
    }

    /** Returns the number of shares of {@code parts} that the devices hold. */
    public int shares(int parts) {
        int count = slots * (Elasticity.PARTS / parts);
        for (int room : rooms) {
            count += room / parts;
        }
        return count;
    }

    /** Returns whether a piece of {@code kind} may be cut from the node, whatever its remaining capacity. */
    public boolean provides(NodeShareKind kind) {
        return kind.access().containsAtom(atom);
    }

    private boolean hostHolds(NodeShareKind kind, int count) {
        return hostHolds(
                count * kind.size() * kind.demand().cpusPerSlot(),
                count * kind.size() * kind.demand().memoryGiBPerSlot());
    }

    /** Returns whether the host has the resources. */
    boolean hostHolds(double takenCpus, double takenMemoryGiB) {
        return takenCpus <= cpus + TOLERANCE && takenMemoryGiB <= memoryGiB + TOLERANCE;
    }

    /**
     * Returns the capacity left by {@code count} pieces of {@code kind}, which takes whole devices; the node holds
     * them.
     */
    ResidualNode without(NodeShareKind kind, int count) {
        int taken = count * kind.size();
        return without(
                taken,
                taken * kind.demand().cpusPerSlot(),
                taken * kind.demand().memoryGiBPerSlot());
    }

    /** Returns the capacity left without {@code devices} free devices and host resources. */
    ResidualNode without(int devices, double takenCpus, double takenMemoryGiB) {
        return new ResidualNode(slots - devices, rooms, cpus - takenCpus, memoryGiB - takenMemoryGiB, atom);
    }

    /** Returns the same without shared devices. */
    public ResidualNode withoutRooms() {
        return new ResidualNode(slots, List.of(), cpus, memoryGiB, atom);
    }
}
