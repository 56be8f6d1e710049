package dev.spur.policies.pollux;

import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.support.BatchRule;
import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.NodeSlots;
import dev.spur.policies.support.PartitionAssignment;
import dev.spur.policies.support.PlacementRule;
import dev.spur.policies.support.PlacementRules;
import dev.spur.policies.support.PlacementState;
import dev.spur.policies.support.RoundView;
import dev.spur.policies.support.SlotAllocations;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Pollux: slots on each node for all jobs, partition by partition, at the batch sizes with the highest goodput. A
 * genetic search maximizes the power mean of normalized goodput.
 *
 * <p>Source: Qiao et al., OSDI '21; the power mean from Sia's artifact. Certain except for the mean. The search begins
 * with the current allocations, because a population is too large for the round memory. The cluster size is fixed, so
 * there is one objective, not two.
 */
public final class Pollux implements Policy {
    private final String name;
    private final PolluxSettings settings;

    public Pollux(String name, PolluxSettings settings) {
        this.name = name;
        this.settings = settings;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Decision decide(RoundProblem problem) {
        RoundView view = RoundView.of(problem, BatchRule.BEST);
        PlacementState placement = new PlacementState(view);
        SlotAllocations grants = new SlotAllocations(view);
        Map<Integer, List<NodeSlots>> desired = new HashMap<>();
        List<List<Integer>> assigned = PartitionAssignment.byPartition(view);
        for (NodePartition partition : view.partitions()) {
            PolluxProblem rows = new PolluxProblem(view, partition, assigned.get(partition.index()), placement);
            if (rows.rows() > 0 && rows.columns() > 0) {
                int[][] plan = new GeneticSearch(
                                rows, settings, problem.settings().budget().seed())
                        .best();
                for (int row = 0; row < plan.length; row++) {
                    List<NodeSlots> nodeSlots = place(rows, plan[row]);
                    int slots = nodeSlots.stream().mapToInt(NodeSlots::slots).sum();
                    grants.grant(rows.job(row), partition, slots);
                    desired.put(rows.job(row), nodeSlots);
                }
            }
        }
        placement.placeAll(grants, j -> where(desired.getOrDefault(j, List.of())));
        return placement.decision(RoundMemory.EMPTY);
    }

    private static List<NodeSlots> place(PolluxProblem rows, int[] own) {
        List<NodeSlots> nodeSlots = new ArrayList<>();
        for (int column = 0; column < own.length; column++) {
            if (own[column] > 0) {
                nodeSlots.add(new NodeSlots(rows.node(column), own[column]));
            }
        }
        return nodeSlots;
    }

    /**
     * Returns the rule that uses the nodes found by the search, or as few nodes as possible where those are no longer
     * free.
     */
    private static PlacementRule where(List<NodeSlots> desired) {
        return (nodes, gang) -> {
            boolean free = desired.stream()
                    .allMatch(spot ->
                            nodes.stream().anyMatch(node -> node.node() == spot.node() && node.free() >= spot.slots()));
            return free && !gang.wholeNodes() ? desired : PlacementRules.MIN_NODES.place(nodes, gang);
        };
    }
}
