package dev.spur.solver.relaxation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Factory of the subproblems: nodes, and jobs. Jobs of a tenant with local quotas form one subproblem. Otherwise, jobs
 * of a group with a local cap form one. All other jobs are independent and form groups of about equal size.
 */
final class SubproblemFactory {
    private SubproblemFactory() {}

    static List<Subproblem> of(CouplingConstraints rows) {
        List<Subproblem> blocks = new ArrayList<>(rows.nodeRows().blocks());
        List<Integer> free = new ArrayList<>();
        SubproblemPartition.byTenant(rows.candidates()).forEach((tenant, jobs) -> {
            List<LocalQuota> own = rows.privateQuotas(tenant);
            if (own.isEmpty()) {
                addByCap(rows, jobs, blocks, free);
            } else {
                addTogether(rows, jobs, own, blocks, free);
            }
        });
        SubproblemPartition.dealt(free, rows.candidates().size())
                .forEach(group -> blocks.add(new IndependentJobsSubproblem(rows, group)));
        return blocks;
    }

    private static void addByCap(
            CouplingConstraints rows, List<Integer> jobs, List<Subproblem> blocks, List<Integer> free) {
        Map<LocalCap, List<Integer>> capped = new LinkedHashMap<>();
        for (int j : jobs) {
            LocalCap cap = rows.privateCap(j);
            if (cap == null) {
                free.add(j);
            } else {
                capped.computeIfAbsent(cap, c -> new ArrayList<>()).add(j);
            }
        }
        capped.values().forEach(together -> addTogether(rows, together, List.of(), blocks, free));
    }

    /** Adds one subproblem of the jobs; if it would have too many states, adds the jobs to {@code free}. */
    private static void addTogether(
            CouplingConstraints rows,
            List<Integer> jobs,
            List<LocalQuota> own,
            List<Subproblem> blocks,
            List<Integer> free) {
        KnapsackSubproblem.of(rows, jobs.stream().mapToInt(Integer::intValue).toArray(), own)
                .ifPresentOrElse(blocks::add, () -> free.addAll(jobs));
    }
}
