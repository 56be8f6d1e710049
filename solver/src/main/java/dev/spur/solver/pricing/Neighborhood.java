package dev.spur.solver.pricing;

import dev.spur.solver.candidate.CandidateSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Some jobs and nodes of a plan that are decided again. A job comes with the nodes on which it is. */
final class Neighborhood {
    /** Nodes for each job, at most. */
    private static final double NODES_PER_JOB = 0.5;

    private final CandidateSet candidates;
    private final PartialSolution plan;
    private final int size;
    private final List<Neighborhood> others;
    private final Set<Integer> jobs = new LinkedHashSet<>();
    private final Set<Integer> nodes = new LinkedHashSet<>();

    /**
     * @param size jobs that it may have
     * @param others neighbourhoods with which it may have nothing in common
     */
    Neighborhood(CandidateSet candidates, PartialSolution plan, int size, List<Neighborhood> others) {
        this.candidates = candidates;
        this.plan = plan;
        this.size = size;
        this.others = List.copyOf(others);
    }

    /** True if no other neighbourhood has node {@code v}. */
    boolean mayHaveNode(int v) {
        for (Neighborhood other : others) {
            if (other.nodes.contains(v)) {
                return false;
            }
        }
        return true;
    }

    /** True if job {@code j} may be touched, and no other neighbourhood has it or one of its nodes. */
    boolean mayHaveJob(int j) {
        return !candidates.mustStay(j)
                && others.stream().noneMatch(other -> other.jobs.contains(j))
                && plan.nodesOf(j).stream().allMatch(this::mayHaveNode);
    }

    /** True if it has as many jobs as it may have. */
    boolean isFull() {
        return jobs.size() >= size;
    }

    /** Adds a node that it may have. */
    void addNode(int v) {
        nodes.add(v);
    }

    /** Adds job {@code j} if it may have it and there is room for it and its nodes. */
    void addJob(int j) {
        List<Integer> on = plan.nodesOf(j);
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

    /** What its jobs have now: by candidate their nodes. */
    Map<Integer, List<Integer>> now() {
        Map<Integer, List<Integer>> now = new LinkedHashMap<>();
        for (int j : jobs) {
            if (plan.choiceOf(j) >= 0) {
                now.put(plan.choiceOf(j), plan.nodesOf(j));
            }
        }
        return now;
    }
}
