package dev.spur.service.round;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.JobGroup;
import dev.spur.model.tenant.Quota;
import dev.spur.model.tenant.Tenant;
import dev.spur.model.tenant.TenantTree;
import dev.spur.service.round.PublicationStore.Holding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Quotas and caps that all planning domains share, compared with the allocations at the moment of publication. Domains
 * that planned from different states may together exceed a limit. Decisions beyond a limit are dropped here, because
 * only one domain publishes at a time.
 */
final class CrossDomainLimits {
    private final List<Limit> limits = new ArrayList<>();
    private final Map<String, Holding> held = new HashMap<>();
    private final Map<String, String> tenants = new HashMap<>();
    private final Map<String, String> groups = new HashMap<>();

    /**
     * A limit for a set of jobs.
     *
     * @param jobs true if the limit counts jobs, false if it counts slots
     */
    private record Limit(String name, Predicate<Holding> whose, long most, boolean jobs) {
        long use(Map<String, Holding> holdings) {
            return holdings.values().stream()
                    .filter(whose)
                    .mapToLong(each -> jobs ? 1 : each.slots())
                    .sum();
        }
    }

    /**
     * Creates the limits.
     *
     * @param holdings current allocation of every job
     * @param all the tenants, with their whole quotas
     * @param caps the groups, with their whole caps
     */
    CrossDomainLimits(List<Holding> holdings, List<Tenant> all, List<JobGroup> caps) {
        holdings.forEach(each -> held.put(each.jobId(), each));
        TenantTree tree = new TenantTree(all);
        Set<String> types = new HashSet<>();
        all.forEach(tenant -> types.addAll(tenant.quotas().keySet()));
        for (String type : types) {
            all.forEach(tenant -> addQuota(tree, tenant, type));
            addNominals(tree, tree.roots(), type);
        }
        for (JobGroup group : caps) {
            Predicate<Holding> named = each -> group.name().equals(each.group());
            add("the cap of group " + group.name(), named, group.maxSlots(), false);
            add("the cap of group " + group.name(), named, group.maxJobs(), true);
        }
    }

    /** Registers the tenant and group of a job that may receive an allocation. */
    CrossDomainLimits with(String job, String tenant, @Nullable String group) {
        tenants.put(job, tenant);
        if (group != null) {
            groups.put(job, group);
        }
        return this;
    }

    private void add(String name, Predicate<Holding> whose, @Nullable Integer most, boolean jobs) {
        if (most != null) {
            limits.add(new Limit(name, whose, most, jobs));
        }
    }

    private void addQuota(TenantTree tree, Tenant tenant, String type) {
        Quota quota = tenant.quotas().get(type);
        if (quota != null && quota.borrowingLimit() != null) {
            limits.add(new Limit(
                    "the quota of tenant " + tenant.name(),
                    each -> each.acceleratorType().equals(type) && tree.isWithin(each.tenant(), tenant.name()),
                    Math.max(quota.max(), guaranteed(tree, tenant, type)),
                    false));
        }
    }

    /** Adds the joint limit of sibling tenants, unless an ancestor has a quota. */
    private void addNominals(TenantTree tree, List<Tenant> siblings, String type) {
        List<Tenant> withQuota = siblings.stream()
                .filter(tenant -> tenant.quotas().containsKey(type))
                .toList();
        if (!withQuota.isEmpty()) {
            limits.add(new Limit(
                    "the joint quota of sibling tenants",
                    each -> each.acceleratorType().equals(type)
                            && withQuota.stream().anyMatch(tenant -> tree.isWithin(each.tenant(), tenant.name())),
                    withQuota.stream()
                            .mapToLong(tenant -> Math.max(quota(tenant, type), guaranteed(tree, tenant, type)))
                            .sum(),
                    false));
        }
        siblings.stream()
                .filter(tenant -> !tenant.quotas().containsKey(type))
                .forEach(tenant -> addNominals(tree, tree.childrenOf(tenant.name()), type));
    }

    /** Nominal quota that the tenants below can always use, whatever the tenant's own quota. */
    private static long guaranteed(TenantTree tree, Tenant tenant, String type) {
        return tree.childrenOf(tenant.name()).stream()
                .mapToLong(child -> Math.max(quota(child, type), guaranteed(tree, child, type)))
                .sum();
    }

    private static long quota(Tenant tenant, String type) {
        Quota quota = tenant.quotas().get(type);
        return quota == null ? 0 : quota.nominal();
    }

    /** Adds decisions that would exceed an exhausted limit to {@code dropped}, the last ones of the plan first. */
    void dropBeyond(List<JobDecision> decisions, Map<String, String> dropped) {
        Map<String, Holding> after = new HashMap<>(held);
        for (JobDecision decision : decisions) {
            if (!decision.keeps() && !dropped.containsKey(decision.jobId())) {
                put(after, decision.jobId(), decision.after());
            }
        }
        for (Limit limit : limits) {
            long used = limit.use(after);
            for (int i = decisions.size() - 1; i >= 0 && used > limit.most(); i--) {
                JobDecision decision = decisions.get(i);
                if (!dropped.containsKey(decision.jobId()) && takesMore(limit, decision.jobId(), after)) {
                    dropped.put(decision.jobId(), "another planning domain has exhausted " + limit.name());
                    Holding before = held.get(decision.jobId());
                    after.remove(decision.jobId());
                    if (before != null) {
                        after.put(decision.jobId(), before);
                    }
                    used = limit.use(after);
                }
            }
        }
    }

    private boolean takesMore(Limit limit, String job, Map<String, Holding> after) {
        return limit.use(only(job, after)) > limit.use(only(job, held));
    }

    private static Map<String, Holding> only(String job, Map<String, Holding> holdings) {
        Holding own = holdings.get(job);
        return own == null ? Map.of() : Map.of(job, own);
    }

    private void put(Map<String, Holding> after, String job, @Nullable Allocation allocation) {
        String tenant = tenants.get(job);
        if (allocation == null) {
            after.remove(job);
        } else if (tenant != null) {
            var configuration = allocation.configuration();
            after.put(
                    job,
                    new Holding(job, tenant, groups.get(job), configuration.acceleratorType(), configuration.slots()));
        }
    }
}
