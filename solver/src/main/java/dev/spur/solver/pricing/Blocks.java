package dev.spur.solver.pricing;

import dev.spur.solver.knapsack.Knapsack;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

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
        JobGroups.dealt(free).forEach(group -> blocks.add(new FreeJobs(rows, group)));
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
        long slots = own.stream().mapToLong(PrivateQuota::most).sum() + usedAtMost(rows, jobs);
        Collection<List<Integer>> capped = jobs.stream()
                .filter(j -> rows.privateCap(j) != null)
                .collect(Collectors.groupingBy(j -> Objects.requireNonNull(rows.privateCap(j))))
                .values();
        // caps are told apart one at a time: the largest counts, not all of them
        long capSlots = capped.stream()
                .mapToLong(group -> usedAtMost(rows, group))
                .max()
                .orElse(0);
        long capJobs = capped.stream().mapToLong(List::size).max().orElse(0);
        if (Knapsack.canHold(own.size(), slots, capSlots, capJobs)) {
            blocks.add(new QuotaJobs(
                    rows, jobs.stream().mapToInt(Integer::intValue).toArray(), own));
        } else {
            free.addAll(jobs);
        }
    }

    private static long usedAtMost(CouplingRows rows, List<Integer> jobs) {
        return jobs.stream()
                .mapToLong(j -> rows.offered(j)
                        .mapToLong(c -> rows.candidate(c).slots())
                        .max()
                        .orElse(0))
                .sum();
    }
}
