package dev.spur.solver.heuristic;

import dev.spur.solver.candidate.CandidateSet;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Neighborhood: jobs and nodes whose part of the plan is solved again. A job belongs to it together with all of its
 * nodes.
 */
final class Neighborhood {
    /** Maximum number of nodes per job. */
    private static final double NODES_PER_JOB = 0.5;

    private final CandidateSet candidates;
    private final PlanState plan;
    private final int size;
    private final List<Neighborhood> otherNeighborhoods;
    private final Set<Integer> jobs = new LinkedHashSet<>();
    private final Set<Integer> nodes = new LinkedHashSet<>();

    /**
     * @param size maximum number of jobs
     * @param otherNeighborhoods neighborhoods that must be disjoint from this one
     */
    Neighborhood(CandidateSet candidates, PlanState plan, int size, List<Neighborhood> otherNeighborhoods) {
        this.candidates = candidates;
        this.plan = plan;
        this.size = size;
        this.otherNeighborhoods = List.copyOf(otherNeighborhoods);
    }

    /** Returns whether no other neighborhood contains node {@code v}. */
    boolean mayHaveNode(int v) {
        for (Neighborhood other : otherNeighborhoods) {
            if (other.nodes.contains(v)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether job {@code j} is not pinned, and no other neighborhood contains it or one of its nodes. */
    boolean mayHaveJob(int j) {
        return !candidates.isPinned(j)
                && otherNeighborhoods.stream().noneMatch(other -> other.jobs.contains(j))
                && Arrays.stream(plan.nodesOf(j)).allMatch(this::mayHaveNode);
    }

    /** Returns whether it has its maximum number of jobs. */
    boolean isFull() {
        return jobs.size() >= size;
    }

    /** Adds a node if {@link #mayHaveNode} allows it. */
    void addNode(int v) {
        nodes.add(v);
    }

    /** Adds job {@code j} if {@link #mayHaveJob} allows it and the limits of jobs and nodes are not exceeded. */
    void addJob(int j) {
        List<Integer> on = Arrays.stream(plan.nodesOf(j)).boxed().toList();
        long more = on.stream().filter(v -> !nodes.contains(v)).count();
        boolean fits = jobs.size() < size && nodes.size() + more <= Math.max(2, size * NODES_PER_JOB);
        if (fits && mayHaveJob(j)) {
            nodes.addAll(on);
            jobs.add(j);
        }
    }

    Set<Integer> jobs() {
        return jobs;
    }

    Set<Integer> nodes() {
        return nodes;
    }

    /** Returns the present allocations of its jobs: nodes by candidate. */
    Map<Integer, int[]> now() {
        Map<Integer, int[]> now = new LinkedHashMap<>();
        for (int j : jobs) {
            if (plan.choiceOf(j) >= 0) {
                now.put(plan.choiceOf(j), plan.nodesOf(j));
            }
        }
        return now;
    }
}
