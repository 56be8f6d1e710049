package dev.spur.service.planningdomain;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.JobGroup;
import dev.spur.model.tenant.Quota;
import dev.spur.model.tenant.Tenant;
import dev.spur.model.tenant.TenantTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
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
public final class CrossDomainLimits {
    private final List<Limit> limits = new ArrayList<>();
    private final Map<String, Holding> held = new HashMap<>();
    private final Map<String, String> tenants = new HashMap<>();
    private final Map<String, String> groups = new HashMap<>();

    /**
     * Resources of a job that count against quotas and limits.
     *
     * @param group group whose limits apply; null for none
     */
    public record Holding(
            String jobId, String tenant, @Nullable String group, String acceleratorType, int slots) {}

    /** New allocation of a job; null for none. */
    public record Change(String jobId, @Nullable Allocation after) {}

    /**
     * A limit for a set of jobs.
     *
     * @param jobs true if the limit counts jobs, false if it counts slots
     */
    private record Limit(String name, Predicate<Holding> whose, long max, boolean jobs) {
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
    public CrossDomainLimits(List<Holding> holdings, List<Tenant> all, List<JobGroup> caps) {
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
    public CrossDomainLimits with(String job, String tenant, @Nullable String group) {
        tenants.put(job, tenant);
        if (group != null) {
            groups.put(job, group);
        }
        return this;
    }

    private void add(String name, Predicate<Holding> whose, @Nullable Integer max, boolean jobs) {
        if (max != null) {
            limits.add(new Limit(name, whose, max, jobs));
        }
    }

    private void addQuota(TenantTree tree, Tenant tenant, String type) {
        Quota quota = tenant.quotas().get(type);
        if (quota != null && quota.borrowingLimit() != null) {
            limits.add(new Limit(
                    "the quota of tenant " + tenant.name(),
                    each -> each.acceleratorType().equals(type) && tree.isWithin(each.tenant(), tenant.name()),
                    Math.max(quota.max(), guaranteedQuota(tree, tenant, type)),
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
                            .mapToLong(tenant -> Math.max(quota(tenant, type), guaranteedQuota(tree, tenant, type)))
                            .sum(),
                    false));
        }
        siblings.stream()
                .filter(tenant -> !tenant.quotas().containsKey(type))
                .forEach(tenant -> addNominals(tree, tree.childrenOf(tenant.name()), type));
    }

    /** Nominal quota that the tenants below can always use, whatever the tenant's own quota. */
    private static long guaranteedQuota(TenantTree tree, Tenant tenant, String type) {
        return tree.childrenOf(tenant.name()).stream()
                .mapToLong(child -> Math.max(quota(child, type), guaranteedQuota(tree, child, type)))
                .sum();
    }

    private static long quota(Tenant tenant, String type) {
        Quota quota = tenant.quotas().get(type);
        return quota == null ? 0 : quota.nominal();
    }

    /**
     * Returns the reasons, by job, to drop those of {@code changes} that exceed an exhausted limit, the last ones
     * first.
     */
    public Map<String, String> exceededBy(List<Change> changes) {
        Map<String, String> dropped = new LinkedHashMap<>();
        Map<String, Holding> after = new HashMap<>(held);
        changes.forEach(change -> put(after, change.jobId(), change.after()));
        for (Limit limit : limits) {
            long used = limit.use(after);
            for (int i = changes.size() - 1; i >= 0 && used > limit.max(); i--) {
                String job = changes.get(i).jobId();
                if (!dropped.containsKey(job) && takesMore(limit, job, after)) {
                    dropped.put(job, "another planning domain has exhausted " + limit.name());
                    Holding before = held.get(job);
                    after.remove(job);
                    if (before != null) {
                        after.put(job, before);
                    }
                    used = limit.use(after);
                }
            }
        }
        return dropped;
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
