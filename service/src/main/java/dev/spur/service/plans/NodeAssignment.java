package dev.spur.service.plans;

import dev.spur.model.allocation.AggregationShare;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import java.util.List;

/**
 * Part of a job on a node.
 *
 * @param generation generation of the job's allocation
 * @param devices devices of this node that the job holds; empty if it only aggregates here
 * @param rankOffset rank of the first of these devices; 0 if there is none
 * @param worldSize devices of the job on all nodes
 * @param nodes nodes of the job in the order of ranks; the first is its master
 * @param aggregationSlots aggregation slots that the job holds on this node
 * @param aggregation locations of its aggregation
 */
record NodeAssignment(
        String jobId,
        long generation,
        Configuration configuration,
        List<String> devices,
        int rankOffset,
        int worldSize,
        List<String> nodes,
        double aggregationSlots,
        List<AggregationShare> aggregation) {

    /** The part of the job of {@code entry} on {@code node}. */
    static NodeAssignment on(String node, PlanEntry entry) {
        Allocation allocation = entry.allocation();
        int ranksBefore = 0;
        List<String> devices = List.of();
        for (NodeShare piece : allocation.placement()) {
            if (piece.node().equals(node)) {
                devices = piece.devices();
                break;
            }
            ranksBefore += piece.slots();
        }
        return new NodeAssignment(
                entry.jobId(),
                entry.generation(),
                allocation.configuration(),
                devices,
                devices.isEmpty() ? 0 : ranksBefore,
                allocation.configuration().slots(),
                allocation.placement().stream().map(NodeShare::node).toList(),
                allocation.aggregation().stream()
                        .filter(share -> share.node().equals(node))
                        .mapToDouble(AggregationShare::slots)
                        .sum(),
                allocation.aggregation());
    }
}
