package dev.spur.solver.pricing;

import dev.spur.model.allocation.Allocation;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.placement.PlacementResult;
import dev.spur.solver.placement.Placer;
import dev.spur.solver.placement.ResidualCluster;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Plan under construction: the candidate and the nodes of each job, and the residual cluster. It never exceeds the
 * capacity.
 */
final class PartialSolution {
    private final CandidateSet candidates;
    private final ResidualCluster room;
    private final ResidualCluster.PieceCost cost;
    private final int[] choice;
    private final List<List<Integer>> nodes = new ArrayList<>();

    /** Creates a plan in which all jobs wait; pieces are put on the nodes with the least free capacity. */
    PartialSolution(CandidateSet candidates) {
        this(candidates, room -> ResidualCluster.FREE);
    }

    /**
     * Creates a plan in which all jobs wait.
     *
     * @param cost cost of a piece on a node, for a residual cluster
     */
    PartialSolution(CandidateSet candidates, Function<ResidualCluster, ResidualCluster.PieceCost> cost) {
        this.candidates = candidates;
        this.room = new ResidualCluster(candidates);
        this.cost = cost.apply(room);
        this.choice = new int[candidates.jobs()];
        Arrays.fill(choice, -1);
        for (int j = 0; j < choice.length; j++) {
            nodes.add(List.of());
        }
    }

    /**
     * Returns the plan {@code chosen} as far as it fits. Kept allocations stay, candidates with fixed nodes get them,
     * and the others are placed in descending order of utility per slot.
     */
    static PartialSolution of(CandidateSet candidates, PartialPlacement chosen) {
        PartialSolution plan = new PartialSolution(candidates);
        IntStream.of(chosen.choice())
                .filter(c -> c >= 0 && candidates.get(c).kept())
                .boxed()
                .sorted(Comparator.comparing(
                        c -> !candidates.isPinned(candidates.get(c).job())))
                .forEach(plan::put);
        new TreeMap<>(chosen.nodes()).forEach((j, nodes) -> plan.putOn(chosen.choice()[j], nodes));
        IntStream.of(chosen.choice())
                .filter(c -> c >= 0 && !candidates.get(c).kept())
                .mapToObj(candidates::get)
                .filter(candidate -> plan.choiceOf(candidate.job()) < 0)
                .sorted(Comparator.comparingDouble(candidate -> -candidate.utility() / candidate.slots()))
                .forEach(candidate -> plan.put(chosen.choice()[candidate.job()]));
        return plan;
    }

    /** Returns the residual cluster. */
    ResidualCluster room() {
        return room;
    }

    /** Returns the candidate of job {@code j}; -1 if it waits. */
    int choiceOf(int j) {
        return choice[j];
    }

    /** Returns the candidate of each job, -1 for waiting. */
    int[] choice() {
        return choice.clone();
    }

    /** Returns the nodes of job {@code j}: one for each piece of its shape, or its kept nodes; empty if it waits. */
    List<Integer> nodesOf(int j) {
        if (choice[j] < 0) {
            return List.of();
        }
        return candidates.get(choice[j]).kept() ? heldBy(j) : nodes.get(j);
    }

    /** Returns the nodes on which job {@code j} holds slots before the round. */
    List<Integer> heldBy(int j) {
        Allocation held = candidates.job(j).allocation();
        return held == null
                ? List.of()
                : held.placement().stream()
                        .map(piece -> candidates.hardware().indexOf(piece.node()))
                        .toList();
    }

    /** Gives a waiting job candidate {@code c} if it fits; returns whether it fits. */
    boolean put(int c) {
        Candidate candidate = candidates.get(c);
        if (candidate.kept()) {
            if (!room.tryKeep(candidate)) {
                return false;
            }
        } else {
            List<Integer> found = room.place(candidate, cost);
            if (found.isEmpty()) {
                return false;
            }
            nodes.set(candidate.job(), found);
        }
        choice[candidate.job()] = c;
        return true;
    }

    /**
     * Gives a waiting job candidate {@code c}, which must fit.
     *
     * @param on a node for each piece of its shape; ignored for a kept candidate
     */
    void putOn(int c, List<Integer> on) {
        Candidate candidate = candidates.get(c);
        if (candidate.kept()) {
            if (!room.tryKeep(candidate)) {
                throw new IllegalStateException(
                        "job %s cannot keep its allocation: the residual cluster has no capacity"
                                .formatted(candidates.job(candidate.job()).id()));
            }
        } else {
            room.placeOn(candidate, on);
            nodes.set(candidate.job(), on);
        }
        choice[candidate.job()] = c;
    }

    /**
     * Gives waiting jobs the candidates {@code chosen} on their nodes, which must have the capacity. If quotas, caps or
     * aggregation slots do not suffice, nothing changes and the result is false.
     */
    boolean putAll(Map<Integer, List<Integer>> chosen) {
        List<Integer> keptFirst = chosen.keySet().stream()
                .sorted(Comparator.comparing(c -> !candidates.get(c).kept()))
                .toList();
        List<Integer> done = new ArrayList<>();
        for (int c : keptFirst) {
            Candidate candidate = candidates.get(c);
            if (!room.limitsAllow(candidate) || !room.aggregationAllows(candidate)) {
                done.forEach(other -> take(candidates.get(other).job()));
                return false;
            }
            putOn(c, chosen.getOrDefault(c, List.of()));
            done.add(c);
        }
        return true;
    }

    /** Removes the allocation of job {@code j}, which then waits. */
    void take(int j) {
        if (choice[j] >= 0) {
            Candidate candidate = candidates.get(choice[j]);
            if (candidate.kept()) {
                room.removeKept(candidate);
            } else {
                room.remove(candidate, nodes.get(j));
            }
            choice[j] = -1;
        }
    }

    /** Returns the placement with devices. */
    PlacementResult placement() {
        Map<Integer, List<Integer>> known = new HashMap<>();
        for (int j = 0; j < choice.length; j++) {
            if (choice[j] >= 0 && !candidates.get(choice[j]).kept()) {
                known.put(j, nodes.get(j));
            }
        }
        return Placer.place(candidates, new PartialPlacement(choice, known));
    }
}
