package dev.spur.model.quota;

import dev.spur.model.cluster.Node;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.Quota;
import dev.spur.model.tenant.Tenant;
import dev.spur.model.tenant.TenantTree;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The demand of each tenant, which it does not lend in this round. It is the sum of the minimum slots of the active
 * jobs in its subtree. A running job counts for its type, a waiting job for every type on which it could start. This
 * makes a nominal quota a guarantee: from the next round on, borrowers cannot take slots for which the tenant has a
 * demand. The demand of a group's jobs is limited by the caps of the group. Demands are in parts of devices,
 * {@link Elasticity#PARTS} for each slot of whole devices. This class is not thread-safe.
 */
public final class ReservedDemand {
    private final RoundProblem problem;
    /** computed on first use: most clusters have no quotas, and a replay has very many rounds */
    private @Nullable Map<String, Map<String, Long>> demands;

    public ReservedDemand(RoundProblem problem) {
        this.problem = problem;
    }

    private static Map<String, Map<String, Long>> count(RoundProblem problem) {
        Map<String, Map<String, Long>> demands = new HashMap<>();
        TenantTree tree = new TenantTree(problem.tenants());
        Set<String> types = new HashSet<>();
        for (Node node : problem.nodes()) {
            if (node.acceleratorType() != null) {
                types.add(node.acceleratorType());
            }
        }
        GroupDemand grouped = new GroupDemand(problem.groups());
        for (Job job : problem.jobs()) {
            for (String type : types) {
                if (couldUse(job, type)) {
                    Elasticity elasticity = job.spec().elasticity();
                    long minParts = (long) elasticity.minCount().orElse(0) * elasticity.partsPerDevice();
                    if (job.spec().group() == null) {
                        add(demands, job.tenant(), type, minParts);
                    } else {
                        grouped.add(job.spec().group(), job.tenant(), type, minParts);
                    }
                }
            }
        }
        grouped.forEach((tenant, type, parts) -> add(demands, tenant, type, parts));
        tree.rootTenants().forEach(root -> addUp(demands, tree, root));
        return demands;
    }

    private static void add(Map<String, Map<String, Long>> demands, String tenant, String type, long parts) {
        demands.computeIfAbsent(tenant, t -> new HashMap<>()).merge(type, parts, Long::sum);
    }

    /** Returns the demand of {@code tenant} and its descendants for parts of devices of {@code type}. */
    public long of(String tenant, String type) {
        if (demands == null) {
            demands = count(problem);
        }
        return demands.getOrDefault(tenant, Map.of()).getOrDefault(type, 0L);
    }

    /**
     * Returns what the tenant does not lend of its nominal quota in this round, in parts of devices: its demand, and at
     * least the slots that it never lends.
     */
    public long partsOf(Tenant tenant, String type, Quota quota) {
        return Math.max(
                (long) Elasticity.PARTS * quota.notLendable(),
                Math.min((long) Elasticity.PARTS * quota.nominal(), of(tenant.name(), type)));
    }

    private static void addUp(Map<String, Map<String, Long>> demands, TenantTree tree, Tenant tenant) {
        Map<String, Long> own = demands.computeIfAbsent(tenant.name(), t -> new HashMap<>());
        for (Tenant child : tree.childrenOf(tenant.name())) {
            addUp(demands, tree, child);
            demands.getOrDefault(child.name(), Map.of()).forEach((type, parts) -> own.merge(type, parts, Long::sum));
        }
    }

    private static boolean couldUse(Job job, String type) {
        return job.allocation() == null
                ? job.spec().elasticity().allowsType(type)
                        && job.spec().profile().acceleratorTypes().contains(type)
                : job.allocation().configuration().acceleratorType().equals(type);
    }
}
