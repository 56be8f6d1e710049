package dev.spur.model.quota;

import dev.spur.model.cluster.Node;
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
 * What each tenant needs for itself, and so does not lend this round: for every active job below it, the fewest slots
 * on which the job may run, of the type that it runs on, or of every type it could start on. This is what makes a
 * nominal quota a guarantee: a need that appears is out of reach of borrowers from the next round on. The jobs of a
 * group need no more together than the group may hold. Not for several threads at once.
 */
public final class ReservedDemand {
    private final RoundProblem problem;
    /** Counted when first asked for: most clusters have no quotas, and a replay has very many rounds. */
    private @Nullable Map<String, Map<String, Long>> needs;

    public ReservedDemand(RoundProblem problem) {
        this.problem = problem;
    }

    private static Map<String, Map<String, Long>> count(RoundProblem problem) {
        Map<String, Map<String, Long>> needs = new HashMap<>();
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
                    int fewest = job.spec().elasticity().minCount().orElse(0);
                    if (job.spec().group() == null) {
                        add(needs, job.tenant(), type, fewest);
                    } else {
                        grouped.add(job.spec().group(), job.tenant(), type, fewest);
                    }
                }
            }
        }
        grouped.forEach((tenant, type, slots) -> add(needs, tenant, type, slots));
        tree.tops().forEach(top -> addUp(needs, tree, top));
        return needs;
    }

    private static void add(Map<String, Map<String, Long>> needs, String tenant, String type, long slots) {
        needs.computeIfAbsent(tenant, t -> new HashMap<>()).merge(type, slots, Long::sum);
    }

    /** Slots of {@code type} that {@code tenant} and those below it need. */
    public long of(String tenant, String type) {
        if (needs == null) {
            needs = count(problem);
        }
        return needs.getOrDefault(tenant, Map.of()).getOrDefault(type, 0L);
    }

    /** Slots of the tenant's nominal quota that are not lent this round: its need, and at least what it never lends. */
    public long kept(Tenant tenant, String type, Quota quota) {
        return Math.max(quota.neverLent(), Math.min(quota.nominal(), of(tenant.name(), type)));
    }

    private static void addUp(Map<String, Map<String, Long>> needs, TenantTree tree, Tenant tenant) {
        Map<String, Long> own = needs.computeIfAbsent(tenant.name(), t -> new HashMap<>());
        for (Tenant child : tree.childrenOf(tenant.name())) {
            addUp(needs, tree, child);
            needs.getOrDefault(child.name(), Map.of()).forEach((type, slots) -> own.merge(type, slots, Long::sum));
        }
    }

    private static boolean couldUse(Job job, String type) {
        return job.allocation() == null
                ? job.spec().elasticity().allowsType(type)
                        && job.spec().profile().acceleratorTypes().contains(type)
                : job.allocation().configuration().acceleratorType().equals(type);
    }
}
