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
 * A plan while it is being made: what each job gets, on which nodes, and what is left. It never holds more than there
 * is.
 */
final class PartialSolution {
    private final CandidateSet candidates;
    private final ResidualCluster room;
    private final ResidualCluster.PieceCost cost;
    private final int[] choice;
    private final List<List<Integer>> nodes = new ArrayList<>();

    /** Nobody runs; pieces are put on the fullest nodes. */
    PartialSolution(CandidateSet candidates) {
        this(candidates, room -> ResidualCluster.FREE);
    }

    /**
     * Nobody runs.
     *
     * @param cost from what is left, what it costs to put a piece on a node
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
     * The plan {@code chosen} as far as it fits: kept ones stay, those with a place get it, and the others are placed
     * in the order of worth per slot.
     */
    static PartialSolution of(CandidateSet candidates, PartialPlacement chosen) {
        PartialSolution plan = new PartialSolution(candidates);
        IntStream.of(chosen.choice())
                .filter(c -> c >= 0 && candidates.get(c).kept())
                .boxed()
                .sorted(Comparator.comparing(
                        c -> !candidates.mustStay(candidates.get(c).job())))
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

    /** What is left. */
    ResidualCluster room() {
        return room;
    }

    /** The candidate of job {@code j}; -1 if it waits. */
    int choiceOf(int j) {
        return choice[j];
    }

    /** The candidate of each job, -1 for waiting. */
    int[] choice() {
        return choice.clone();
    }

    /** The nodes of job {@code j}: one for each piece of its shape, or those that it keeps; none if it waits. */
    List<Integer> nodesOf(int j) {
        if (choice[j] < 0) {
            return List.of();
        }
        return candidates.get(choice[j]).kept() ? heldBy(j) : nodes.get(j);
    }

    /** The nodes on which job {@code j} holds slots before the round. */
    List<Integer> heldBy(int j) {
        Allocation held = candidates.job(j).allocation();
        return held == null
                ? List.of()
                : held.placement().stream()
                        .map(piece -> candidates.hardware().indexOf(piece.node()))
                        .toList();
    }

    /** Gives a waiting job candidate {@code c} if it fits somewhere; returns whether it did. */
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
     * Gives a waiting job candidate {@code c}, of which it is known that it fits.
     *
     * @param on a node for each piece of its shape; without meaning for a kept one
     */
    void putOn(int c, List<Integer> on) {
        Candidate candidate = candidates.get(c);
        if (candidate.kept()) {
            if (!room.tryKeep(candidate)) {
                throw new IllegalStateException("job %s cannot keep what it holds"
                        .formatted(candidates.job(candidate.job()).id()));
            }
        } else {
            room.placeOn(candidate, on);
            nodes.set(candidate.job(), on);
        }
        choice[candidate.job()] = c;
    }

    /**
     * Gives waiting jobs the candidates {@code chosen}, each with its nodes, of which it is known that they hold it.
     * Quotas, caps and aggregation may not: then nobody gets anything, and it returns false.
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

    /** Lets job {@code j} wait. */
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

    /** The plan with devices. */
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
