package dev.spur.solver.pricing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All that decides for itself at prices: nodes, and jobs; these with those of their tenant if it has quotas of its own,
 * else with those of their group if it has a cap, else in groups that mean nothing.
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

    /** The jobs as one block, unless there would be too much to tell apart. */
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
