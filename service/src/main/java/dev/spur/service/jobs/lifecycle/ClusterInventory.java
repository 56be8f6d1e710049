package dev.spur.service.jobs.lifecycle;

import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.Pool;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.JobGroup;
import dev.spur.model.job.Roles;
import dev.spur.model.performance.HostLevel;
import dev.spur.model.tenant.Quota;
import dev.spur.model.tenant.Tenant;
import dev.spur.model.tenant.TenantTree;
import dev.spur.service.web.contract.FieldError;
import dev.spur.solver.candidate.IdleShapes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Registered hardware as if it were idle: the nodes, also lost ones, which may come back, the tenants and the job
 * groups. Immutable.
 */
final class ClusterInventory {
    private final Map<String, AcceleratorType> types = new HashMap<>();
    private final Map<Place, List<Node>> nodes = new LinkedHashMap<>();
    private final List<Node> hosts = new ArrayList<>();
    private final Map<String, Double> aggregation = new HashMap<>();
    private final Map<String, Tenant> tenants = new HashMap<>();
    private final Map<String, JobGroup> groups = new HashMap<>();
    private final Map<String, Double> maxRunSeconds = new TreeMap<>();
    private final TenantTree tree;

    ClusterInventory(
            List<AcceleratorType> types,
            List<Pool> pools,
            List<Node> all,
            List<Tenant> tenants,
            List<JobGroup> groups) {
        pools.forEach(pool -> maxRunSeconds.put(
                pool.name(), Objects.requireNonNullElse(pool.maxRunSeconds(), Double.POSITIVE_INFINITY)));
        types.forEach(type -> this.types.put(type.name(), type));
        for (Node node : all) {
            hosts.add(node);
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
        String describe() {
            return type + " in pool " + pool;
        }
    }

    /** All nodes, also those without devices. */
    List<Node> hosts() {
        return hosts;
    }

    /** All places with at least one device. */
    Iterable<Place> places() {
        return nodes.keySet();
    }

    /**
     * Maximum slots that one job can have in a place, by its nodes and the host resources of one of {@code levels} for
     * each slot, with its roles. The rule of pools with whole nodes is not applied: it may be lifted while the job
     * waits.
     */
    int maxSlots(Place place, Elasticity elasticity, List<HostLevel> levels, Roles roles) {
        List<Node> idle = nodes.getOrDefault(place, List.of()).stream()
                .filter(elasticity::allowsNode)
                .toList();
        return levels.stream()
                .map(level -> IdleShapes.largestWithin(elasticity, idle, level, roles, false))
                .mapToInt(shape -> (int) Math.min(
                        Integer.MAX_VALUE,
                        shape.stream().mapToLong(Integer::longValue).sum()))
                .max()
                .orElse(0);
    }

    /** True if a node of the place meets the requirements of a job on its nodes. */
    boolean hasNodeFor(Place place, Elasticity elasticity) {
        return nodes.getOrDefault(place, List.of()).stream().anyMatch(elasticity::allowsNode);
    }

    /** True if a node of the place shares its devices. */
    boolean sharesDevices(Place place) {
        return nodes.getOrDefault(place, List.of()).stream().anyMatch(Node::sharesDevices);
    }

    /** True if {@code slots} devices of the place may use AllReduce. */
    boolean reducesOn(Place place, int slots) {
        AcceleratorType type = types.get(place.type());
        return type == null || type.reducesOn(slots);
    }

    /** Aggregation slots of a pool. */
    double aggregationSlots(String pool) {
        return aggregation.getOrDefault(pool, 0.0);
    }

    /** Parent of a tenant; null for the root and for an unregistered name. */
    @Nullable
    String parent(String tenant) {
        Tenant known = tenants.get(tenant);
        return known == null ? null : known.parent();
    }

    /** Pools that a job names, or else those with devices of its types, or else all. */
    List<String> pools(Elasticity elasticity) {
        if (!elasticity.pools().isEmpty()) {
            return elasticity.pools();
        }
        List<String> usable = nodes.keySet().stream()
                .filter(place -> elasticity.allowsType(place.type()))
                .map(Place::pool)
                .distinct()
                .sorted()
                .toList();
        return usable.isEmpty() ? List.copyOf(maxRunSeconds.keySet()) : usable;
    }

    /** Maximum run time of a job in a pool, seconds; infinite without one. */
    double maxRunSeconds(String pool) {
        return maxRunSeconds.getOrDefault(pool, Double.POSITIVE_INFINITY);
    }

    /** The tenant with the least maximum run time, of {@code tenant} and its ancestors; null if none has one. */
    @Nullable
    Tenant strictestTenant(String tenant) {
        Tenant strictest = null;
        for (Tenant at = tenants.get(tenant); at != null; at = at.parent() == null ? null : tenants.get(at.parent())) {
            Double max = at.maxRunSeconds();
            if (max != null && (strictest == null || max < Objects.requireNonNull(strictest.maxRunSeconds()))) {
                strictest = at;
            }
        }
        return strictest;
    }

    boolean hasTenant(String name) {
        return tenants.containsKey(name);
    }

    /**
     * Errors of a job of {@code tenant} that names {@code group}; empty if it names none. A group of another tenant is
     * treated as missing, because it may be out of the caller's scope.
     */
    List<FieldError> errorsOfGroup(String tenant, @Nullable String group) {
        JobGroup known = group == null ? null : groups.get(group);
        return group == null || (known != null && tree.isWithin(tenant, known.tenant()))
                ? List.of()
                : List.of(FieldError.at("/spec/group", "there is no group %s for tenant %s".formatted(group, tenant)));
    }

    /**
     * Maximum slots that the cap of {@code group} leaves to one job; {@link Integer#MAX_VALUE} without a limit. A cap
     * of 0 pauses the group temporarily and is therefore no limit here.
     */
    int groupCap(@Nullable String group) {
        JobGroup known = group == null ? null : groups.get(group);
        Integer max = known == null ? null : known.maxSlots();
        return max == null || max == 0 ? Integer.MAX_VALUE : max;
    }

    /** Maximum slots of a type that quotas leave to a job of a tenant; {@link Integer#MAX_VALUE} without a limit. */
    int quota(String tenant, String type) {
        return leastOfQuotas(tenant, type, Quota::max);
    }

    /** Minimum nominal quota of a tenant and its ancestors for a type; {@link Integer#MAX_VALUE} without one. */
    int nominalQuota(String tenant, String type) {
        return leastOfQuotas(tenant, type, Quota::nominal);
    }

    private int leastOfQuotas(String tenant, String type, ToIntFunction<Quota> limit) {
        int max = Integer.MAX_VALUE;
        Tenant at = tenants.get(tenant);
        while (at != null) {
            var quota = at.quotas().get(type);
            max = quota == null ? max : Math.min(max, limit.applyAsInt(quota));
            at = at.parent() == null ? null : tenants.get(at.parent());
        }
        return max;
    }
}
