package dev.spur.solver.placement;

import java.util.List;
import java.util.Map;

/**
 * Who runs as what, and where.
 *
 * @param choice the candidate of each job, -1 for waiting; not to be changed
 * @param nodes nodes of fresh candidates by index of the job, one per piece of its shape, which hold them all together;
 *     a job that is missing here has still to be placed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record PartialPlacement(int[] choice, Map<Integer, List<Integer>> nodes) {
    public PartialPlacement {
        nodes = Map.copyOf(nodes);
    }

    /** A choice in which nobody but those who keep what they hold has a place yet. */
    public static PartialPlacement withoutPlaces(int[] choice) {
        return new PartialPlacement(choice, Map.of());
    }
}
