package dev.spur.solver.resource;

import dev.spur.solver.candidate.HostLimits;
import dev.spur.solver.placement.ResidualCluster;

/**
 * Remaining capacity of a node: its pieces use at most its slots, CPUs and memory.
 *
 * @param slots free slots
 * @param cpus free host CPUs
 * @param memoryGiB free host memory, GiB
 * @param atom index of the atom of the node
 */
public record ResidualNode(int slots, double cpus, double memoryGiB, int atom) {
    /** Tolerance of CPUs and memory, at least that of the plan validator. */
    private static final double TOLERANCE = 1e-6;

    /** Returns the remaining capacity of node {@code v}. */
    public static ResidualNode of(ResidualCluster residualCluster, int v) {
        return new ResidualNode(
                residualCluster.slots(v), residualCluster.cpus(v), residualCluster.memory(v), residualCluster.atom(v));
    }

    /** Returns this node without limits of the resources that cannot be short by {@code limits}. */
    public ResidualNode within(HostLimits limits) {
        return new ResidualNode(slots, limits.cpus() ? cpus : 0, limits.memory() ? memoryGiB : 0, atom);
    }

    /** Returns the maximum number of pieces of {@code kind} that the node holds. */
    int max(NodeShareKind kind) {
        int count = provides(kind) ? slots / kind.size() : 0;
        while (count > 0 && !hostHolds(kind, count)) {
            count--;
        }
        return count;
    }

    /** Returns whether a piece of {@code kind} may be cut from the node, whatever its remaining capacity. */
    public boolean provides(NodeShareKind kind) {
        return kind.access().containsAtom(atom);
    }

    private boolean hostHolds(NodeShareKind kind, int count) {
        int taken = count * kind.size();
        return taken * kind.demand().cpusPerSlot() <= cpus + TOLERANCE
                && taken * kind.demand().memoryGiBPerSlot() <= memoryGiB + TOLERANCE;
    }

    /** Returns the capacity left by {@code count} pieces of {@code kind}, which the node holds. */
    ResidualNode without(NodeShareKind kind, int count) {
        int taken = count * kind.size();
        return new ResidualNode(
                slots - taken,
                cpus - taken * kind.demand().cpusPerSlot(),
                memoryGiB - taken * kind.demand().memoryGiBPerSlot(),
                atom);
    }
}
