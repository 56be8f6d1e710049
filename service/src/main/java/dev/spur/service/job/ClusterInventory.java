package dev.spur.service.job;

import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.JobGroup;
import dev.spur.model.tenant.Tenant;
import dev.spur.model.tenant.TenantTree;
import dev.spur.service.contract.FieldError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is registered, as if it were empty: every node that is not lost, the tenants and the groups of jobs. Immutable.
 */
final class ClusterInventory {
    private final Map<String, AcceleratorType> types = new HashMap<>();
    private final Map<Place, List<Node>> nodes = new LinkedHashMap<>();
    private final Map<String, Double> aggregation = new HashMap<>();
    private final Map<String, Tenant> tenants = new HashMap<>();
    private final Map<String, JobGroup> groups = new HashMap<>();
    private final TenantTree tree;

    ClusterInventory(List<AcceleratorType> types, List<Node> all, List<Tenant> tenants, List<JobGroup> groups) {
        types.forEach(type -> this.types.put(type.name(), type));
        for (Node node : all) {
            if (node.state() == NodeState.LOST) {
                continue;
            }
            aggregation.merge(node.pool(), node.aggregationSlots(), Double::sum);
            String type = node.acceleratorType();
            if (type != null && node.slots() > 0) {
                nodes.computeIfAbsent(new Place(node.pool(), type), place -> new ArrayList<>())
                        .add(node);
            }
        }
        tenants.forEach(tenant -> this.tenants.put(tenant.name(), tenant));
        groups.forEach(group -> this.groups.put(group.name(), group));
        tree = new TenantTree(tenants);
    }

    /** Devices of one type in one pool. */
    record Place(String pool, String type) {
        String words() {
            return type + " in pool " + pool;
        }
    }

    /** Every place with at least one device. */
    Iterable<Place> places() {
        return nodes.keySet();
    }

    /**
     * Most slots that one job can have in a place, on at most {@code maxNodes} nodes with the host that each slot
     * needs.
     */
    int mostSlots(Place place, @Nullable Integer maxNodes, HostDemand host) {
        long sum = nodes.getOrDefault(place, List.of()).stream()
                .mapToInt(node -> usable(node, host))
                .boxed()
                .sorted((a, b) -> b - a)
                .limit(maxNodes == null ? Integer.MAX_VALUE : maxNodes)
                .mapToLong(Integer::longValue)
                .sum();
        return (int) Math.min(Integer.MAX_VALUE, sum);
    }

    private static int usable(Node node, HostDemand host) {
        double most = node.slots();
        if (host.cpusPerSlot() > 0) {
            most = Math.min(most, Math.floor(node.cpus() / host.cpusPerSlot()));
        }
        if (host.memoryGiBPerSlot() > 0) {
            most = Math.min(most, Math.floor(node.memoryGiB() / host.memoryGiBPerSlot()));
        }
        return (int) most;
    }

    /** True if workers on {@code slots} devices there may sum gradients among themselves. */
    boolean reducesOn(Place place, int slots) {
        AcceleratorType type = types.get(place.type());
        return type == null || type.reducesOn(slots);
    }

    /** Aggregation slots of a pool. */
    double aggregationSlots(String pool) {
        return aggregation.getOrDefault(pool, 0.0);
    }

    /** Parent of a tenant; null for the root and for a name that is not registered. */
    @Nullable
    String parent(String tenant) {
        Tenant known = tenants.get(tenant);
        return known == null ? null : known.parent();
    }

    boolean hasTenant(String name) {
        return tenants.containsKey(name);
    }

    /**
     * What forbids that a job of {@code tenant} names {@code group}; nothing if it names none. A group that is for
     * others is like one that there is not: whoever asks may be out of their reach.
     */
    List<FieldError> errorsOfGroup(String tenant, @Nullable String group) {
        JobGroup known = group == null ? null : groups.get(group);
        return group == null || (known != null && tree.isWithin(tenant, known.tenant()))
                ? List.of()
                : List.of(FieldError.at("/spec/group", "there is no group %s for tenant %s".formatted(group, tenant)));
    }

    /**
     * Most slots that the cap of {@code group} lets one job have; {@link Integer#MAX_VALUE} if it does not limit it. A
     * cap of 0 is a pause, not for good.
     */
    int groupCap(@Nullable String group) {
        JobGroup known = group == null ? null : groups.get(group);
        Integer most = known == null ? null : known.maxSlots();
        return most == null || most == 0 ? Integer.MAX_VALUE : most;
    }

    /** Most slots of a type that quotas let a tenant's job have; {@link Integer#MAX_VALUE} if they do not limit it. */
    int quota(String tenant, String type) {
        int most = Integer.MAX_VALUE;
        Tenant at = tenants.get(tenant);
        while (at != null) {
            var quota = at.quotas().get(type);
            most = quota == null ? most : Math.min(most, quota.max());
            at = at.parent() == null ? null : tenants.get(at.parent());
        }
        return most;
    }
}
