package dev.spur.solver.explain;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.tenant.Quota;
import dev.spur.model.tenant.Tenant;
import dev.spur.model.tenant.TenantTree;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.ResourceDemand;
import dev.spur.solver.quota.QuotaSystem.Account;
import dev.spur.solver.quota.QuotaUsage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Description of the use of nominal quotas by tenants. */
final class QuotaStanding {
    private final CandidateSet candidates;
    private final QuotaUsage usage;
    private final TenantTree tree;
    /** Use of the tenant and its descendants by type, by tenant. */
    private final Map<String, Map<String, Long>> held = new HashMap<>();

    /** @param usage use of the quotas by {@code runningAllocations} */
    QuotaStanding(CandidateSet candidates, Map<Integer, Allocation> runningAllocations, QuotaUsage usage) {
        this.candidates = candidates;
        this.usage = usage;
        this.tree = new TenantTree(candidates.problem().tenants());
        runningAllocations.forEach((j, allocation) -> candidates.problem().tenants().stream()
                .filter(tenant -> tree.isWithin(candidates.job(j).tenant(), tenant.name()))
                .forEach(tenant -> held.computeIfAbsent(tenant.name(), t -> new HashMap<>())
                        .merge(
                                allocation.configuration().acceleratorType(),
                                (long) candidates.quotas().units().of(candidates.job(j), allocation.configuration()),
                                Long::sum)));
    }

    /** Returns whether the stated quotas allow {@code candidate}, without regard to the slots that exist. */
    boolean statementsAllow(Candidate candidate) {
        ResourceDemand demand = ResourceDemand.of(candidates, candidate);
        return usage.blockingStated(demand.account(), demand.units()) < 0
                && usage.blocking(demand.nonPreemptibleAccount(), demand.units()) < 0;
    }

    /** Returns the sentence about the account whose limit excludes {@code candidate}; empty if none does. */
    String limit(Candidate candidate) {
        ResourceDemand demand = ResourceDemand.of(candidates, candidate);
        int own = usage.blocking(demand.account(), demand.units());
        if (own >= 0) {
            Account account = candidates.quotas().account(own);
            if (account.tenants().isEmpty()) {
                return " Of the %s slots of %s that %s share, %s are in use, or guaranteed to tenants that wait within their nominal quotas."
                        .formatted(text(account.limit()), account.type(), account.name(), text(usage.use(own)));
            }
            return " Of the %s slots of %s of tenant %s, %s are in use or reserved."
                    .formatted(text(account.limit()), account.type(), account.name(), text(usage.use(own)));
        }
        int nonPreemptible = usage.blocking(demand.nonPreemptibleAccount(), demand.units());
        if (nonPreemptible < 0) {
            return "";
        }
        Account account = candidates.quotas().account(nonPreemptible);
        return " The job is not preemptible, so it cannot borrow: %s may hold %s slots of %s and hold %s."
                .formatted(account.name(), text(account.limit()), account.type(), text(usage.use(nonPreemptible)));
    }

    /**
     * Returns the sentence about the tenants that borrow slots while {@code candidate} stays within the nominal quota
     * of its tenant; empty if none borrows.
     */
    String borrowers(Candidate candidate) {
        String type = candidate.configuration().acceleratorType();
        Tenant own = withQuota(candidates.job(candidate.job()).tenant(), type);
        if (own == null || heldBy(own, type) + candidates.units(candidate) > nominal(own, type)) {
            return "";
        }
        List<String> borrowers = candidates.problem().tenants().stream()
                .filter(tenant -> tenant.quotas().containsKey(type) && heldBy(tenant, type) > nominal(tenant, type))
                .map(tenant -> "tenant %s holds %s slots of %s, %s above its nominal quota of %s"
                        .formatted(
                                tenant.name(),
                                text(heldBy(tenant, type)),
                                type,
                                text(heldBy(tenant, type) - nominal(tenant, type)),
                                text(nominal(tenant, type))))
                .toList();
        return borrowers.isEmpty()
                ? ""
                : " Within the nominal quota of tenant %s, %s of %s are in use: %s."
                        .formatted(
                                own.name(),
                                text(heldBy(own, type)),
                                text(nominal(own, type)),
                                String.join("; ", borrowers));
    }

    /** Returns the nearest tenant from {@code name} upwards that has a quota for {@code type}. */
    private @Nullable Tenant withQuota(String name, String type) {
        Tenant nearest = null;
        for (Tenant tenant : candidates.problem().tenants()) {
            boolean isNearer = nearest == null || tree.isWithin(tenant.name(), nearest.name());
            if (tree.isWithin(name, tenant.name()) && tenant.quotas().containsKey(type) && isNearer) {
                nearest = tenant;
            }
        }
        return nearest;
    }

    private long nominal(Tenant tenant, String type) {
        Quota quota = tenant.quotas().get(type);
        return quota == null ? 0 : candidates.quotas().units().of(quota.nominal());
    }

    private long heldBy(Tenant tenant, String type) {
        return held.getOrDefault(tenant.name(), Map.of()).getOrDefault(type, 0L);
    }

    private String text(long units) {
        return candidates.quotas().units().text(units);
    }
}
