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
 * What is shown and what is wanted, as exactly as a platform can be held to it: where nobody but the platform chooses
 * nodes, a plan and a job agree when the job has its slots in the right pool.
 */
final class PoolProjection {
    private PoolProjection() {}

    static PlatformObservation of(PlacementGranularity placementGranularity, PlatformObservation seen) {
        if (placementGranularity == PlacementGranularity.NODES) {
            return seen;
        }
        Map<String, String> pools = pools(seen);
        return PlatformObservation.of(
                seen.nodes(),
                seen.jobs().values().stream()
                        .map(job -> job.holding(byPool(job.held(), pools)))
                        .toList());
    }

    static DesiredState of(PlacementGranularity placementGranularity, DesiredState desired, PlatformObservation seen) {
        if (placementGranularity == PlacementGranularity.NODES) {
            return desired;
        }
        Map<String, String> pools = pools(seen);
        Map<String, DesiredJob> wants = new LinkedHashMap<>();
        desired.wants()
                .forEach((job, want) -> wants.put(
                        job,
                        want instanceof DesiredJob.Run run
                                ? new DesiredJob.Run(byPool(run.placement(), pools))
                                : want));
        return new DesiredState(desired.revision(), wants, desired.notYet());
    }

    private static Map<String, String> pools(PlatformObservation seen) {
        return seen.nodes().stream().collect(Collectors.toMap(PlatformNode::name, PlatformNode::pool));
    }

    /**
     * Slots by pool. A node that is not shown any more stands for itself: nothing agrees with it, and nobody can give
     * it.
     */
    private static JobPlacement byPool(JobPlacement placement, Map<String, String> pools) {
        Map<String, Integer> slots = new TreeMap<>();
        placement.slots().forEach((node, count) -> slots.merge(pools.getOrDefault(node, node), count, Integer::sum));
        return JobPlacement.of(slots);
    }
}
