package dev.spur.solver.resource;

import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.NodeAccess;
import java.util.Comparator;

/**
 * Kind of a piece: all properties that affect which nodes provide it, and their capacity.
 *
 * @param size slots
 * @param demand host resources of each slot; none where hosts do not bind
 * @param access nodes of the class from which it may be cut
 */
public record NodeShareKind(int size, HostDemand demand, NodeAccess access) {
    public static final Comparator<NodeShareKind> LARGEST_FIRST = Comparator.comparingInt(NodeShareKind::size)
            .thenComparingDouble(kind -> kind.demand().cpusPerSlot())
            .thenComparingDouble(kind -> kind.demand().memoryGiBPerSlot())
            .reversed()
            .thenComparing(NodeShareKind::access);

    /** A piece that any node of the class may provide. */
    public NodeShareKind(int size, HostDemand demand) {
        this(size, demand, NodeAccess.WHOLE);
    }
}
