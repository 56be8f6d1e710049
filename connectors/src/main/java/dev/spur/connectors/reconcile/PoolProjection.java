package dev.spur.connectors.reconcile;

import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.PlacementGranularity;
import dev.spur.connectors.PlatformNode;
import dev.spur.connectors.reconcile.DesiredState.DesiredJob;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Projection of observed and desired state to pools, for platforms that choose the nodes. A job matches the plan if it
 * has its slots in the planned pool.
 */
final class PoolProjection {
    private PoolProjection() {}

    static PlatformObservation of(PlacementGranularity placementGranularity, PlatformObservation observed) {
        if (placementGranularity == PlacementGranularity.NODES) {
            return observed;
        }
        Map<String, String> pools = pools(observed);
        return PlatformObservation.of(
                observed.nodes(),
                observed.jobs().values().stream()
                        .map(job -> job.holding(byPool(job.held(), pools)))
                        .toList());
    }

    static DesiredState of(
            PlacementGranularity placementGranularity, DesiredState desired, PlatformObservation observed) {
        if (placementGranularity == PlacementGranularity.NODES) {
            return desired;
        }
        Map<String, String> pools = pools(observed);
        Map<String, DesiredJob> wants = new LinkedHashMap<>();
        desired.wants()
                .forEach((job, want) -> wants.put(
                        job,
                        want instanceof DesiredJob.Run run
                                ? new DesiredJob.Run(byPool(run.placement(), pools))
                                : want));
        return new DesiredState(desired.revision(), wants, desired.blocked());
    }

    private static Map<String, String> pools(PlatformObservation observed) {
        return observed.nodes().stream().collect(Collectors.toMap(PlatformNode::name, PlatformNode::pool));
    }

    /**
     * Sums the slots by pool. A node that is no longer observed is treated as a pool of its own, which matches no other
     * placement.
     */
    private static JobPlacement byPool(JobPlacement placement, Map<String, String> pools) {
        Map<String, Integer> slots = new TreeMap<>();
        placement.slots().forEach((node, count) -> slots.merge(pools.getOrDefault(node, node), count, Integer::sum));
        return JobPlacement.of(slots).withBatch(placement.batch()).withHost(placement.host());
    }
}
