package dev.spur.solver.pricing;

import dev.spur.solver.candidate.CandidateSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The jobs dealt into groups, for a master with a column per group and pass. Jobs of one tenant stay together: their
 * columns then touch few quota rows, and the master converges in fewer passes than with jobs dealt at random.
 */
final class SubproblemPartition {
    private SubproblemPartition() {}

    /** Groups with a column each per pass. */
    private static final int MOST = 60;
    /**
     * The same in large rounds: there the master takes longer than all answers, and with fewer columns it is solved
     * sooner.
     */
    private static final int MOST_OF_MANY = 30;

    /** Jobs by tenant, tenants by name, jobs in order. */
    static Map<String, List<Integer>> byTenant(CandidateSet candidates) {
        Map<String, List<Integer>> byTenant = new TreeMap<>();
        for (int j = 0; j < candidates.jobs(); j++) {
            byTenant.computeIfAbsent(candidates.job(j).tenant(), t -> new ArrayList<>())
                    .add(j);
        }
        return byTenant;
    }

    /**
     * Groups of about equal size, in the order given.
     *
     * @param candidates number of candidates of all jobs of the round
     */
    static List<int[]> dealt(List<Integer> jobs, int candidates) {
        int groups = Math.min(candidates < CouplingConstraints.MANY ? MOST : MOST_OF_MANY, jobs.size());
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
