package dev.spur.solver.pricing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All that decides for itself at prices: nodes, and jobs; these with those of their tenant if it has quotas of its own, else with
 * those of their group if it has a cap, else in groups that mean nothing.
 */
final class Blocks {
    private Blocks() {}

    static List<Block> of(CouplingRows rows) {
        List<Block> blocks = new ArrayList<>(rows.nodeRows().blocks());
        List<Integer> free = new ArrayList<>();
        JobGroups.byTenant(rows.candidates()).forEach((tenant, jobs) -> {
            List<PrivateQuota> own = rows.privateQuotas(tenant);
            if (own.isEmpty()) {
                addByCap(rows, jobs, blocks, free);
            } else {
                addTogether(rows, jobs, own, blocks, free);
            }
        });
        JobGroups.dealt(free, rows.candidates().size()).forEach(group -> blocks.add(new FreeJobs(rows, group)));
        return blocks;
    }

    private static void addByCap(CouplingRows rows, List<Integer> jobs, List<Block> blocks, List<Integer> free) {
        Map<PrivateCap, List<Integer>> capped = new LinkedHashMap<>();
        for (int j : jobs) {
            PrivateCap cap = rows.privateCap(j);
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
            CouplingRows rows, List<Integer> jobs, List<PrivateQuota> own, List<Block> blocks, List<Integer> free) {
        QuotaJobs.of(rows, jobs.stream().mapToInt(Integer::intValue).toArray(), own)
                .ifPresentOrElse(blocks::add, () -> free.addAll(jobs));
    }
}
