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
        SlotAllocations allocations = new SlotAllocations(view);
        Map<Integer, List<NodeSlots>> desiredSlots = new HashMap<>();
        List<List<Integer>> assigned = PartitionAssignment.byPartition(view);
        for (NodePartition partition : view.partitions()) {
            PolluxProblem polluxProblem =
                    new PolluxProblem(view, partition, assigned.get(partition.index()), placement);
            if (polluxProblem.rows() > 0 && polluxProblem.columns() > 0) {
                int[][] plan = new GeneticSearch(
                                polluxProblem,
                                settings,
                                problem.settings().budget().seed())
                        .best();
                for (int row = 0; row < plan.length; row++) {
                    List<NodeSlots> nodeSlots = place(polluxProblem, plan[row]);
                    int slots = nodeSlots.stream().mapToInt(NodeSlots::slots).sum();
                    allocations.grant(polluxProblem.job(row), partition, slots);
                    desiredSlots.put(polluxProblem.job(row), nodeSlots);
                }
            }
        }
        placement.placeAll(allocations, j -> where(desiredSlots.getOrDefault(j, List.of())));
        return placement.decision(RoundMemory.EMPTY);
    }

    private static List<NodeSlots> place(PolluxProblem problem, int[] own) {
        List<NodeSlots> nodeSlots = new ArrayList<>();
        for (int column = 0; column < own.length; column++) {
            if (own[column] > 0) {
                nodeSlots.add(new NodeSlots(problem.node(column), own[column]));
            }
        }
        return nodeSlots;
    }

    /**
     * Returns the rule that uses the nodes found by the search, or as few nodes as possible where those are no longer
     * free.
     */
    private static PlacementRule where(List<NodeSlots> desiredSlots) {
        return (nodes, gang) -> {
            boolean free = desiredSlots.stream()
                    .allMatch(slots -> nodes.stream()
                            .anyMatch(node -> node.node() == slots.node() && node.free() >= slots.slots()));
            return free && !gang.wholeNodes() ? desiredSlots : PlacementRules.MIN_NODES.place(nodes, gang);
        };
    }
}
