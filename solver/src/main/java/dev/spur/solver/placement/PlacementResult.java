package dev.spur.solver.placement;

import dev.spur.model.allocation.Allocation;
import java.util.List;
import java.util.Map;

/**
 * Placement of the chosen jobs.
 *
 * @param allocations by index of the job
 * @param conflicts sets of candidates that provably have no joint placement; empty if all are placed
 * @param unplaced jobs without a placement, although one may exist
 * @param losses proved losses of utility by class of nodes; empty if all candidates have the utility of their change
 */
public record PlacementResult(
        Map<Integer, Allocation> allocations,
        List<List<Integer>> conflicts,
        List<Integer> unplaced,
        List<StallLoss> losses) {
    public PlacementResult {
        allocations = Map.copyOf(allocations);
        conflicts = List.copyOf(conflicts);
        unplaced = List.copyOf(unplaced);
        losses = List.copyOf(losses);
    }
}
