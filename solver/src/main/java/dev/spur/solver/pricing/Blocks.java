package dev.spur.solver.pricing;

import dev.spur.solver.knapsack.Knapsack;
import java.util.ArrayList;
import java.util.List;

/** All that decides for itself at prices: jobs in groups, or with those of their tenant if it has quotas of its own, and nodes. */
final class Blocks {
    private Blocks() {}

    static List<Block> of(CouplingRows rows) {
        List<Block> blocks = new ArrayList<>(rows.nodeRows().blocks());
        List<Integer> free = new ArrayList<>();
        JobGroups.byTenant(rows.candidates()).forEach((tenant, jobs) -> {
            List<PrivateQuota> own = rows.privateQuotas(tenant);
            long slots = own.stream().mapToLong(PrivateQuota::most).sum() + usedAtMost(rows, jobs);
            if (!Knapsack.canHold(own.size(), slots)) {
                free.addAll(jobs);
            } else {
                blocks.add(new QuotaJobs(
                        rows, jobs.stream().mapToInt(Integer::intValue).toArray(), own));
            }
        });
        JobGroups.dealt(free).forEach(group -> blocks.add(new FreeJobs(rows, group)));
        return blocks;
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
