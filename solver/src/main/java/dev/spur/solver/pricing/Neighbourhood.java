package dev.spur.solver.pricing;

import dev.spur.solver.candidate.CandidateSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Some jobs and nodes of a plan that are decided again. A job comes with the nodes on which it is. */
final class Neighbourhood {
    /** Nodes for each job, at most. */
    private static final double NODES_PER_JOB = 0.5;

    private final CandidateSet candidates;
    private final WorkingPlan plan;
    private final int size;
    private final Set<Integer> jobs = new LinkedHashSet<>();
    private final Set<Integer> nodes = new LinkedHashSet<>();

    /** @param size jobs that it may have */
    Neighbourhood(CandidateSet candidates, WorkingPlan plan, int size) {
        this.candidates = candidates;
        this.plan = plan;
        this.size = size;
    }

    void addNode(int v) {
        nodes.add(v);
    }

    /** Adds job {@code j} if it may be touched and there is room for it and its nodes. */
    void addJob(int j) {
        List<Integer> on = plan.nodesOf(j);
        long more = on.stream().filter(v -> !nodes.contains(v)).count();
        boolean fits = jobs.size() < size && nodes.size() + more <= Math.max(2, size * NODES_PER_JOB);
        if (fits && !candidates.mustStay(j)) {
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
