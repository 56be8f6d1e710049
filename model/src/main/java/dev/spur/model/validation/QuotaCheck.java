package dev.spur.model.validation;

import dev.spur.model.cluster.NodeState;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.Job;
import dev.spur.model.quota.ReservedDemand;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.Quota;
import dev.spur.model.tenant.Tenant;
import dev.spur.model.tenant.TenantTree;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Validates quotas with borrowing, for each accelerator type. The claim of a tenant is the use of its subtree, and at
 * least its reserved demand. A tenant uses at most its nominal quota plus its borrowing limit. The claims of siblings
 * sum to at most their nominal quotas, unless an ancestor has a quota, which then is their limit. They also sum to at
 * most the slots that exist, or to their reserved demands if these are more. Jobs that are not preemptible start only
 * within the nominal quotas, if the settings state it. The use of protected jobs is always allowed. A job with a share
 * of a device counts its share.
 */
final class QuotaCheck {
    private final ProblemIndex index;
    private final List<PlannedJob> runningJobs;
    private final List<Violation> violations;
    private final TenantTree tree;
    private final ReservedDemand demand;
    private final Set<String> types = new HashSet<>();
    private final Map<String, Map<String, Long>> held = new HashMap<>();
    private final Map<String, Map<String, Long>> protectedUse = new HashMap<>();
    private final Map<String, Map<String, Long>> nonPreemptible = new HashMap<>();
    private final Map<String, Map<String, Long>> nonPreemptibleBefore = new HashMap<>();

    QuotaCheck(RoundProblem problem, ProblemIndex index, List<PlannedJob> runningJobs, List<Violation> violations) {
        this.index = index;
        this.runningJobs = runningJobs;
        this.violations = violations;
        this.tree = new TenantTree(problem.tenants());
        this.demand = new ReservedDemand(problem);
        problem.tenants().forEach(tenant -> types.addAll(tenant.quotas().keySet()));
    }

    void run() {
        for (PlannedJob planned : runningJobs) {
            Job job = index.job(planned.jobId());
            String type = planned.allocation().configuration().acceleratorType();
            long parts = job.spec().partsIn(planned.allocation().configuration());
            held.computeIfAbsent(job.tenant(), t -> new HashMap<>()).merge(type, parts, Long::sum);
            if (!job.spec().preemptible()) {
                add(nonPreemptible, job, type, parts);
                if (job.allocation() != null) {
                    add(nonPreemptibleBefore, job, type, parts);
                }
            }
            if (index.mustStay(job)) {
                protectedUse.computeIfAbsent(job.tenant(), t -> new HashMap<>()).merge(type, parts, Long::sum);
            }
        }
        checkAccounts();
    }

    private static void add(Map<String, Map<String, Long>> use, Job job, String type, long parts) {
        use.computeIfAbsent(job.tenant(), t -> new HashMap<>()).merge(type, parts, Long::sum);
    }

    private void checkAccounts() {
        for (String type : types) {
            tree.rootTenants().forEach(root -> checkBelow(root, type, false));
            claimsFitNominals(tree.rootTenants(), type, "all tenants");
        }
    }

    private void checkBelow(Tenant tenant, String type, boolean covered) {
        List<Tenant> childTenants = tree.childrenOf(tenant.name());
        Quota quota = tenant.quotas().get(type);
        childTenants.forEach(child -> checkBelow(child, type, covered || quota != null));
        if (quota == null) {
            if (!covered) {
                claimsFitNominals(childTenants, type, "the children of " + tenant.name());
            }
            return;
        }
        if (index.problem.settings().quotas().nonPreemptibleWithinNominal()) {
            nonPreemptibleJobsAreWithinNominal(tenant, type, quota);
        }
        long used = use(tenant, type, held);
        long limit = Math.max(limit(tenant, type, quota), use(tenant, type, protectedUse));
        if (used > limit) {
            violations.add(new Violation(
                    "quotasHold",
                    tenant.name(),
                    "tenant %s uses %s slots, above its limit of %s slots of %s"
                            .formatted(tenant.name(), slots(used), slots(limit), type)));
        }
    }

    private void claimsFitNominals(List<Tenant> siblingTenants, String type, String account) {
        long nominal = 0;
        long claimed = 0;
        long min = 0;
        long reserved = 0;
        for (Tenant tenant : siblingTenants) {
            Quota quota = tenant.quotas().get(type);
            if (quota != null) {
                nominal += parts(quota.nominal());
                claimed += claim(tenant, type, quota, held);
                min += claim(tenant, type, quota, protectedUse);
                reserved += claim(tenant, type, quota, Map.of());
            }
        }
        if (claimed > Math.max(Math.min(nominal, Math.max(existing(type), reserved)), min)) {
            violations.add(new Violation(
                    "reservedDemandIsNotBorrowed",
                    account,
                    "%s claim %s slots, above their nominal total of %s slots of %s"
                            .formatted(account, slots(claimed), slots(nominal), type)));
        }
    }

    private static long parts(long slots) {
        return slots * Elasticity.PARTS;
    }

    private static double slots(long parts) {
        return (double) parts / Elasticity.PARTS;
    }

    /** Returns the maximum use of a tenant: at most the slots that exist, or the reserved ones, if tenants share it. */
    private long limit(Tenant tenant, String type, Quota quota) {
        return hasQuotaBelow(tenant, type)
                ? Math.min(parts(quota.max()), Math.max(existing(type), use(tenant, type, Map.of())))
                : parts(quota.max());
    }

    private boolean hasQuotaBelow(Tenant tenant, String type) {
        return tree.childrenOf(tenant.name()).stream()
                .anyMatch(child -> child.quotas().get(type) != null || hasQuotaBelow(child, type));
    }

    private long existing(String type) {
        return index.problem.nodes().stream()
                .filter(node -> type.equals(node.acceleratorType()) && node.state() != NodeState.LOST)
                .mapToLong(node -> parts(node.slots()))
                .sum();
    }

    /** A job that is not preemptible does not start on borrowed slots; those that ran before may stay. */
    private void nonPreemptibleJobsAreWithinNominal(Tenant tenant, String type, Quota quota) {
        long used = sum(tenant, type, nonPreemptible);
        long limit = Math.max(parts(quota.nominal()), sum(tenant, type, nonPreemptibleBefore));
        if (used > limit) {
            violations.add(new Violation(
                    "nonPreemptibleJobsAreWithinNominal",
                    tenant.name(),
                    "non-preemptible jobs of tenant %s use %s slots, above the nominal quota or present use of %s slots of %s"
                            .formatted(tenant.name(), slots(used), slots(limit), type)));
        }
    }

    private long sum(Tenant tenant, String type, Map<String, Map<String, Long>> parts) {
        long sum = parts.getOrDefault(tenant.name(), Map.of()).getOrDefault(type, 0L);
        for (Tenant child : tree.childrenOf(tenant.name())) {
            sum += sum(child, type, parts);
        }
        return sum;
    }

    private long claim(Tenant tenant, String type, Quota quota, Map<String, Map<String, Long>> parts) {
        return Math.max(demand.partsOf(tenant, type, quota), use(tenant, type, parts));
    }

    /**
     * Returns the parts of devices of a tenant's own jobs, plus the claims of children with a quota and the use of
     * other children.
     */
    private long use(Tenant tenant, String type, Map<String, Map<String, Long>> parts) {
        long sum = parts.getOrDefault(tenant.name(), Map.of()).getOrDefault(type, 0L);
        for (Tenant child : tree.childrenOf(tenant.name())) {
            Quota quota = child.quotas().get(type);
            sum += quota == null ? use(child, type, parts) : claim(child, type, quota, parts);
        }
        return sum;
    }
}
