package dev.spur.solver.program;

import dev.spur.model.job.HostDemand;
import java.util.Comparator;

/**
 * What matters of a piece to the node that it is cut from.
 *
 * @param size slots
 * @param demand what each slot needs of the host; nothing where hosts do not bind
 */
public record NodeShareKind(int size, HostDemand demand) {
    static final Comparator<NodeShareKind> SMALLEST_FIRST = Comparator.comparingInt(NodeShareKind::size)
            .thenComparingDouble(kind -> kind.demand().cpusPerSlot())
            .thenComparingDouble(kind -> kind.demand().memoryGiBPerSlot());
}
