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
 * Pollux: slots on each node for all jobs, by a genetic search for the highest power mean of normalized goodput, lane
 * by lane, with the batch size that suits them best.
 *
 * <p>Source: Qiao et al., OSDI '21; the power mean from Sia's artifact. Certain but for the mean. The search begins
 * with what runs now, since a population is too large to be remembered; the cluster's size is given, so that there is
 * one goal, not two.
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
        RoundView snapshot = RoundView.of(problem, BatchRule.BEST);
        PlacementState seating = new PlacementState(snapshot);
        SlotAllocations grants = new SlotAllocations(snapshot);
        Map<Integer, List<NodeSlots>> wanted = new HashMap<>();
        List<List<Integer>> dealt = PartitionAssignment.byLane(snapshot);
        for (NodePartition lane : snapshot.lanes()) {
            PolluxProblem rows = new PolluxProblem(snapshot, lane, dealt.get(lane.index()), seating);
            if (rows.rows() > 0 && rows.columns() > 0) {
                int[][] plan = new GeneticSearch(
                                rows, settings, problem.settings().budget().seed())
                        .best();
                for (int row = 0; row < plan.length; row++) {
                    List<NodeSlots> spots = spots(rows, plan[row]);
                    int slots = spots.stream().mapToInt(NodeSlots::slots).sum();
                    grants.give(rows.job(row), lane, slots);
                    wanted.put(rows.job(row), spots);
                }
            }
        }
        seating.seat(grants, j -> where(wanted.getOrDefault(j, List.of())));
        return seating.decision(RoundMemory.EMPTY);
    }

    private static List<NodeSlots> spots(PolluxProblem rows, int[] own) {
        List<NodeSlots> spots = new ArrayList<>();
        for (int column = 0; column < own.length; column++) {
            if (own[column] > 0) {
                spots.add(new NodeSlots(rows.node(column), own[column]));
            }
        }
        return spots;
    }

    /** The nodes that the search has found, or the fewest where they are no longer free. */
    private static PlacementRule where(List<NodeSlots> wanted) {
        return (nodes, gang) -> {
            boolean free = wanted.stream()
                    .allMatch(spot ->
                            nodes.stream().anyMatch(node -> node.node() == spot.node() && node.free() >= spot.slots()));
            return free && !gang.wholeNodes() ? wanted : PlacementRules.FEWEST_NODES.spots(nodes, gang);
        };
    }
}
