package dev.spur.solver.relaxation;

import dev.spur.solver.candidate.CandidateSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Partition of the jobs into groups, each with a column per pass. Jobs of one tenant stay together: their columns use
 * few quota rows, and the master converges in fewer passes than with a random partition.
 */
final class SubproblemPartition {
    private SubproblemPartition() {}

    /** Maximum number of groups with a column per pass. */
    private static final int MAX = 60;
    /**
     * The same maximum in large rounds, where the master takes longer than the subproblems and fewer columns make it
     * faster.
     */
    private static final int MAX_OF_MANY = 30;

    /** Returns the jobs by tenant; tenants are sorted by name, jobs by index. */
    static Map<String, List<Integer>> byTenant(CandidateSet candidates) {
        Map<String, List<Integer>> byTenant = new TreeMap<>();
        for (int j = 0; j < candidates.jobs(); j++) {
            byTenant.computeIfAbsent(candidates.job(j).tenant(), t -> new ArrayList<>())
                    .add(j);
        }
        return byTenant;
    }

    /**
     * Returns groups of about equal size, in the given order.
     *
     * @param candidates number of candidates of all jobs of the round
     */
    static List<int[]> dealt(List<Integer> jobs, int candidates) {
        int groups = Math.min(candidates < CouplingConstraints.MANY ? MAX : MAX_OF_MANY, jobs.size());
        List<int[]> dealt = new ArrayList<>(groups);
        for (int g = 0; g < groups; g++) {
            int from = (int) ((long) jobs.size() * g / groups);
            int to = (int) ((long) jobs.size() * (g + 1) / groups);
            dealt.add(
                    jobs.subList(from, to).stream().mapToInt(Integer::intValue).toArray());
        }
        return dealt;
    }
}
