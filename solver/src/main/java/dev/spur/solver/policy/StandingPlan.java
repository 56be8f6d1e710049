package dev.spur.solver.policy;

import dev.spur.model.allocation.Allocation;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.GreedyFill;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.placement.PlacementResult;
import dev.spur.solver.placement.Placer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Plan between two stages of a solve by classes.
 *
 * @param choice candidate by job, -1 for waiting; not to be changed
 * @param nodes nodes of the fresh candidates by job, one for each piece
 * @param placement placement of the choice
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record StandingPlan(int[] choice, Map<Integer, List<Integer>> nodes, PlacementResult placement) {
    StandingPlan {
        nodes = Map.copyOf(nodes);
    }

    /** Returns the last plan as far as it is still feasible. */
    static StandingPlan ofLastRound(CandidateSet candidates) {
        int[] choice = GreedyFill.repairPlan(candidates);
        return new StandingPlan(choice, Map.of(), Placer.place(candidates, choice));
    }

    /** Returns the plan of {@code start}, whose nodes are known. */
    static StandingPlan of(CandidateSet candidates, PartialPlacement start) {
        return new StandingPlan(start.choice(), start.nodes(), Placer.place(candidates, start));
    }

    /** Returns the plan with the allocations of {@code placement}, each of which is one of {@code candidates}. */
    static StandingPlan of(CandidateSet candidates, PlacementResult placement) {
        int[] choice = new int[candidates.jobs()];
        Arrays.fill(choice, -1);
        Map<Integer, List<Integer>> nodes = new HashMap<>();
        placement.allocations().forEach((j, given) -> {
            choice[j] = candidateOf(candidates, j, given);
            if (!candidates.get(choice[j]).isRetained()) {
                nodes.put(j, PartialPlacement.nodesOf(given, candidates.hardware()));
            }
        });
        return new StandingPlan(choice, nodes, placement);
    }

    private static int candidateOf(CandidateSet candidates, int j, Allocation given) {
        int retained = candidates.retainedCandidate(j);
        if (retained >= 0 && candidates.job(j).changeTo(given).keepsProcesses()) {
            return retained;
        }
        int node = candidates.hardware().indexOf(given.placement().get(0).node());
        List<Integer> alike = new ArrayList<>();
        for (int c = candidates.first(j); c < candidates.end(j); c++) {
            Candidate candidate = candidates.get(c);
            if (!candidate.isRetained() && candidate.configuration().equals(given.configuration())) {
                alike.add(c);
            }
        }
        return alike.stream()
                .filter(c ->
                        candidates.get(c).nodeClass() == candidates.hardware().classOf(node))
                .findFirst()
                .orElseGet(() -> alike.get(0));
    }
}
