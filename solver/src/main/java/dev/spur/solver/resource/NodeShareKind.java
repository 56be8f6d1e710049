package dev.spur.solver.resource;

import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.NodeAccess;
import java.util.Comparator;

/**
 * Kind of a piece: all properties that affect which nodes provide it, and their capacity.
 *
 * @param size slots; 1 for a share of a device
 * @param parts parts of each device that it takes, of {@link Elasticity#PARTS}
 * @param demand host resources of each slot; none where hosts do not bind
 * @param access nodes of the class from which it may be cut
 */
public record NodeShareKind(int size, int parts, HostDemand demand, NodeAccess access) {
    public static final Comparator<NodeShareKind> LARGEST_FIRST = Comparator.comparingInt(NodeShareKind::size)
            .thenComparingInt(NodeShareKind::parts)
            .thenComparingDouble(kind -> kind.demand().cpusPerSlot())
            .thenComparingDouble(kind -> kind.demand().memoryGiBPerSlot())
            .reversed()
            .thenComparing(NodeShareKind::access);

    /** A piece of whole devices that any node of the class may provide. */
    public NodeShareKind(int size, HostDemand demand) {
        this(size, Elasticity.PARTS, demand, NodeAccess.WHOLE);
    }

    /** Returns the kind of one whole device of the nodes of {@code access}, whatever it takes of its host. */
    public static NodeShareKind ofDevice(NodeAccess access) {
        return new NodeShareKind(1, Elasticity.PARTS, HostDemand.NONE, access);
    }

    /** Returns whether it takes whole devices. */
    public boolean isWhole() {
        return parts == Elasticity.PARTS;
    }

    /** Returns this kind with other host resources of each slot. */
    public NodeShareKind withDemand(HostDemand other) {
        return new NodeShareKind(size, parts, other, access);
    }

    /** Returns this kind, cut from other nodes of the class. */
    public NodeShareKind withAccess(NodeAccess other) {
        return new NodeShareKind(size, parts, demand, other);
    }
}
