package dev.spur.solver.placement;

import java.util.List;

/**
 * Utility that candidates lose together in every placement, because not all of them find the devices for their changes.
 *
 * @param nodeClass class of the nodes for which they compete
 * @param candidates the candidates; a plan with further candidates loses no less
 * @param utility utility that they lose at least, above 0
 */
public record StallLoss(int nodeClass, List<Integer> candidates, double utility) {
    public StallLoss {
        candidates = List.copyOf(candidates);
    }
}
