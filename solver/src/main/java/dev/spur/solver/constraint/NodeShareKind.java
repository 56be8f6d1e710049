package dev.spur.solver.constraint;

import dev.spur.model.job.HostDemand;
import java.util.Comparator;

/**
 * Kind of a piece: all properties that affect the capacity of its node.
 *
 * @param size slots
 * @param demand host resources of each slot; none where hosts do not bind
 */
public record NodeShareKind(int size, HostDemand demand) {
    public static final Comparator<NodeShareKind> LARGEST_FIRST = Comparator.comparingInt(NodeShareKind::size)
            .thenComparingDouble(kind -> kind.demand().cpusPerSlot())
            .thenComparingDouble(kind -> kind.demand().memoryGiBPerSlot())
            .reversed();
}
