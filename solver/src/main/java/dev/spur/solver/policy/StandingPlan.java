package dev.spur.solver.policy;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.GreedyFill;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.placement.PlacementResult;
import dev.spur.solver.placement.Placer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Plan from which another solve starts.
 *
 * @param choice candidate by job, -1 for waiting; not to be changed
 * @param nodes nodes of the fresh candidates by job, one for each piece
 * @param devices shared devices of these, as of {@link PartialPlacement}
 * @param placement placement of the choice
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record StandingPlan(
        int[] choice, Map<Integer, List<Integer>> nodes, Map<Integer, Integer> devices, PlacementResult placement) {
    StandingPlan {
        nodes = Map.copyOf(nodes);
        devices = Map.copyOf(devices);
    }

    /** Returns the last plan as far as it is still feasible. */
    static StandingPlan ofLastRound(CandidateSet candidates) {
        int[] choice = GreedyFill.repairPlan(candidates);
        return new StandingPlan(choice, Map.of(), Map.of(), Placer.place(candidates, choice));
    }

    /** Returns the choice with the nodes of the fresh candidates. */
    PartialPlacement partialPlacement() {
        return new PartialPlacement(choice, nodes, devices);
    }

    /** Returns the plan of {@code startPlacement}, whose nodes are known. */
    static StandingPlan of(CandidateSet candidates, PartialPlacement startPlacement) {
        return new StandingPlan(
                startPlacement.choice(),
                startPlacement.nodes(),
                startPlacement.devices(),
                Placer.place(candidates, startPlacement));
    }

    /** Returns the plan with the allocations of {@code placement}, each of which is one of {@code candidates}. */
    static StandingPlan of(CandidateSet candidates, PlacementResult placement) {
        int[] choice = new int[candidates.jobs()];
        Arrays.fill(choice, -1);
        Map<Integer, List<Integer>> nodes = new HashMap<>();
        Map<Integer, Integer> devices = new HashMap<>();
        placement.allocations().forEach((j, allocation) -> {
            choice[j] = candidateOf(candidates, j, allocation);
            if (!candidates.get(choice[j]).isRetained()) {
                nodes.put(j, PartialPlacement.nodesOf(allocation, candidates.clusterIndex()));
                devices.put(j, PartialPlacement.deviceOf(allocation.placement().get(0), candidates.clusterIndex()));
            }
        });
        return new StandingPlan(choice, nodes, devices, placement);
    }

    private static int candidateOf(CandidateSet candidates, int j, Allocation allocation) {
        int retained = candidates.retainedCandidate(j);
        if (retained >= 0 && candidates.job(j).changeTo(allocation).keepsProcesses()) {
            return candidates
                    .retainedCandidates(j)
                    .filter(c -> candidates.get(c).configuration().equals(allocation.configuration()))
                    .findFirst()
                    .orElseGet(() -> withGrant(candidates, j, allocation));
        }
        List<Integer> nodes = PartialPlacement.nodesOf(allocation, candidates.clusterIndex());
        return IntStream.range(candidates.first(j), candidates.end(j))
                .filter(c -> provides(candidates, c, allocation.configuration(), nodes))
                .boxed()
                .max(Comparator.comparingDouble(c -> candidates.get(c).utility()))
                .orElseThrow(() -> new IllegalArgumentException(
                        "job %s has no candidate %s".formatted(candidates.job(j).id(), allocation)));
    }

    /** Returns the candidate that keeps the allocation of job {@code j} with the host grant of {@code allocation}. */
    private static int withGrant(CandidateSet candidates, int j, Allocation allocation) {
        return candidates
                .retainedCandidates(j)
                .filter(c -> Objects.equals(
                        candidates.get(c).configuration().host(),
                        allocation.configuration().host()))
                .findFirst()
                .orElse(candidates.retainedCandidate(j));
    }

    /** Returns whether {@code c} is a fresh candidate with {@code configuration} that may take {@code nodes}. */
    private static boolean provides(CandidateSet candidates, int c, Configuration configuration, List<Integer> nodes) {
        Candidate candidate = candidates.get(c);
        return !candidate.isRetained()
                && candidate.configuration().includes(configuration)
                && nodes.stream()
                        .allMatch(v -> candidates.clusterIndex().classOf(v) == candidate.nodeClass()
                                && candidate.access().contains(v));
    }
}
