package dev.spur.solver.placement;

import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.candidate.ParallelLoop;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Greedy construction heuristic: the last plan repaired for all changes, and that plan with pending jobs added. */
public final class GreedyFill {
    private GreedyFill() {}

    /**
     * Returns the last plan as far as it is still feasible. Pinned jobs stay. The others stay in descending order of
     * utility per slot while quotas, caps of groups and aggregation allow it. The result is the candidate of each job,
     * -1 for waiting.
     */
    public static int[] repairPlan(CandidateSet candidates) {
        return repair(candidates, new ResidualCapacity(candidates));
    }

    /**
     * Returns the repaired plan plus each pending job that fits, in descending order of utility per slot, each in its
     * best feasible candidate by utility per slot.
     */
    public static PartialPlacement fill(CandidateSet candidates) {
        ResidualCapacity residual = new ResidualCapacity(candidates);
        int[] choice = repair(candidates, residual);
        Map<Integer, List<Integer>> nodes = fill(candidates, choice, residual);
        Map<Integer, Integer> devices = new HashMap<>();
        nodes.forEach((j, on) -> devices.put(j, residual.deviceOf(candidates.get(choice[j]), on.get(0))));
        return new PartialPlacement(choice, nodes, devices);
    }

    /**
     * Adds pending jobs of {@code choice} where {@code residual}, which contains the running jobs, has space; returns
     * their nodes.
     */
    private static Map<Integer, List<Integer>> fill(CandidateSet candidates, int[] choice, ResidualCapacity residual) {
        Map<Integer, List<Integer>> nodes = new HashMap<>();
        List<List<Integer>> waiting = ParallelLoop.range(candidates.jobs())
                .filter(j -> choice[j] < 0)
                .mapToObj(j -> bestPerSlotFirst(candidates, j))
                .filter(own -> !own.isEmpty())
                .toList();
        waiting.stream()
                .sorted(Comparator.comparingDouble(own -> -perSlot(candidates.get(own.get(0)))))
                .forEach(own -> placeFirstThatFits(candidates, own, choice, residual, nodes));
        return nodes;
    }

    private static int[] repair(CandidateSet candidates, ResidualCapacity residual) {
        int[] choice = new int[candidates.jobs()];
        Arrays.fill(choice, -1);
        IntStream.range(0, candidates.jobs())
                .filter(j -> candidates.retainedCandidate(j) >= 0)
                .boxed()
                .sorted(Comparator.comparing((Integer j) -> !candidates.isPinned(j))
                        .thenComparingDouble(j -> -perSlot(candidates.get(candidates.retainedCandidate(j)))))
                .forEach(j -> choice[j] = candidates
                        .retainedCandidates(j)
                        .filter(c -> residual.place(ResourceDemand.of(candidates, candidates.get(c))) != null)
                        .findFirst()
                        .orElse(-1));
        return choice;
    }

    private static List<Integer> bestPerSlotFirst(CandidateSet candidates, int j) {
        return IntStream.range(candidates.first(j), candidates.end(j))
                .filter(c ->
                        !candidates.get(c).isRetained() && candidates.get(c).utility() > 0)
                .boxed()
                .sorted(Comparator.comparingDouble(c -> -perSlot(candidates.get(c))))
                .toList();
    }

    private static void placeFirstThatFits(
            CandidateSet candidates,
            List<Integer> own,
            int[] choice,
            ResidualCapacity residual,
            Map<Integer, List<Integer>> nodes) {
        for (int c : own) {
            Candidate candidate = candidates.get(c);
            int[] found = residual.cluster().mayHold(candidate)
                    ? residual.place(ResourceDemand.of(candidates, candidate))
                    : null;
            if (found != null) {
                choice[candidate.job()] = c;
                nodes.put(candidate.job(), IntStream.of(found).boxed().toList());
                return;
            }
        }
    }

    private static double perSlot(Candidate candidate) {
        return candidate.utility() / candidate.devices();
    }
}
