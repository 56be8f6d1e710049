package dev.spur.solver.placement;

import dev.spur.model.allocation.Allocation;
import java.util.List;
import java.util.Map;

/**
 * Where chosen jobs sit.
 *
 * @param allocations by index of the job
 * @param conflicts sets of candidates of which it is proved that no placement holds all of a set; empty if all are
 *     placed
 * @param unplaced jobs for which no place was found, though none may be missing
 */
public record PlacementResult(
        Map<Integer, Allocation> allocations, List<List<Integer>> conflicts, List<Integer> unplaced) {
    public PlacementResult {
        allocations = Map.copyOf(allocations);
        conflicts = List.copyOf(conflicts);
        unplaced = List.copyOf(unplaced);
    }
}
