package dev.spur.connectors.engine;

import dev.spur.connectors.Pinning;
import dev.spur.connectors.Placement;
import dev.spur.connectors.PlatformNode;
import dev.spur.connectors.engine.Desired.Want;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What is shown and what is wanted, as exactly as a platform can be held to it: where nobody but the platform chooses nodes, a plan
 * and a job agree when the job has its slots in the right pool.
 */
final class Grain {
    private Grain() {}

    static Observation of(Pinning pinning, Observation seen) {
        if (pinning == Pinning.NODES) {
            return seen;
        }
        Map<String, String> pools = pools(seen);
        return Observation.of(
                seen.nodes(),
                seen.jobs().values().stream()
                        .map(job -> job.holding(byPool(job.held(), pools)))
                        .toList());
    }

    static Desired of(Pinning pinning, Desired desired, Observation seen) {
        if (pinning == Pinning.NODES) {
            return desired;
        }
        Map<String, String> pools = pools(seen);
        Map<String, Want> wants = new LinkedHashMap<>();
        desired.wants()
                .forEach((job, want) -> wants.put(
                        job, want instanceof Want.Run run ? new Want.Run(byPool(run.placement(), pools)) : want));
        return new Desired(desired.revision(), wants, desired.notYet());
    }

    private static Map<String, String> pools(Observation seen) {
        return seen.nodes().stream().collect(Collectors.toMap(PlatformNode::name, PlatformNode::pool));
    }

    /** Slots by pool. A node that is not shown any more stands for itself: nothing agrees with it, and nobody can give it. */
    private static Placement byPool(Placement placement, Map<String, String> pools) {
        Map<String, Integer> slots = new TreeMap<>();
        placement.slots().forEach((node, count) -> slots.merge(pools.getOrDefault(node, node), count, Integer::sum));
        return Placement.of(slots);
    }
}
