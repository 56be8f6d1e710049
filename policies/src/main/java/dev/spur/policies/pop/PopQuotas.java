package dev.spur.policies.pop;

import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.Quota;
import dev.spur.model.tenant.Tenant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Apportionment of quotas: each part first gets the use of its jobs, so that they can stay, and an equal share of the
 * rest.
 */
final class PopQuotas {
    private final List<Tenant> tenants;
    private final int count;
    private final Map<String, Tenant> tenantsByName = new HashMap<>();
    /** By tenant and type: slots used by the jobs of each part, including descendant tenants. */
    private final Map<String, Map<String, int[]>> held = new HashMap<>();

    /** @param jobs the jobs of each part */
    PopQuotas(RoundProblem problem, List<List<Job>> jobs) {
        tenants = problem.tenants();
        count = jobs.size();
        tenants.forEach(tenant -> tenantsByName.put(tenant.name(), tenant));
        for (int part = 0; part < count; part++) {
            for (Job job : jobs.get(part)) {
                addHeld(part, job);
            }
        }
    }

    private void addHeld(int part, Job job) {
        if (job.allocation() == null) {
            return;
        }
        String type = job.allocation().configuration().acceleratorType();
        int slots = job.allocation().configuration().slots();
        for (Tenant at = tenantsByName.get(job.tenant()); at != null; at = above(at)) {
            held.computeIfAbsent(at.name(), name -> new HashMap<>()).computeIfAbsent(type, t -> new int[count])[part] +=
                    slots;
        }
    }

    private @Nullable Tenant above(Tenant tenant) {
        return tenant.parent() == null ? null : tenantsByName.get(tenant.parent());
    }

    /** Returns the tenants with the quotas of {@code part}. */
    List<Tenant> of(int part) {
        return tenants.stream()
                .map(tenant -> new Tenant(tenant.name(), tenant.parent(), tenant.weight(), quotas(tenant, part)))
                .toList();
    }

    private Map<String, Quota> quotas(Tenant tenant, int part) {
        Map<String, Quota> quotas = new HashMap<>();
        tenant.quotas().forEach((type, quota) -> {
            int[] own = held.getOrDefault(tenant.name(), Map.of()).getOrDefault(type, new int[count]);
            // Remainders of different tenants go to different parts.
            int first = tenants.indexOf(tenant) % count;
            int[] nominal = deal(quota.nominal(), own, first);
            int[] borrowed = IntStream.range(0, count)
                    .map(p -> Math.max(0, own[p] - nominal[p]))
                    .toArray();
            quotas.put(
                    type,
                    new Quota(
                            nominal[part],
                            dealt(quota.borrowingLimit(), borrowed, first, part),
                            dealt(quota.lendingLimit(), new int[count], first, part)));
        });
        return quotas;
    }

    private @Nullable Integer dealt(@Nullable Integer whole, int[] min, int first, int part) {
        return whole == null ? null : Integer.valueOf(deal(whole, min, first)[part]);
    }

    /**
     * Returns {@code whole} split into parts of at least {@code min}, as far as it suffices, and otherwise as equal as
     * possible.
     */
    static int[] deal(int whole, int[] min, int first) {
        int[] shares = new int[min.length];
        int left = whole;
        for (int part = 0; part < shares.length; part++) {
            shares[part] = Math.min(min[part], left);
            left -= shares[part];
        }
        for (; left > 0; left--) {
            shares[smallest(shares, first)]++;
        }
        return shares;
    }

    private static int smallest(int[] shares, int first) {
        int min = Arrays.stream(shares).min().orElseThrow();
        int part = first;
        while (shares[part] > min) {
            part = (part + 1) % shares.length;
        }
        return part;
    }
}
