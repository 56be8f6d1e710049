package dev.spur.service.jobs.lifecycle;

import dev.spur.service.cluster.AcceleratorTypeStore;
import dev.spur.service.cluster.NodeStore;
import dev.spur.service.cluster.PoolStore;
import dev.spur.service.cluster.TenantStore;
import dev.spur.service.jobs.JobGroupStore;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Cache of the registered cluster. It is read again only when its version in the database has changed. */
@Component
class ClusterInventoryCache {
    private final AcceleratorTypeStore types;
    private final PoolStore pools;
    private final NodeStore nodes;
    private final TenantStore tenants;
    private final JobGroupStore groups;
    private volatile @Nullable CachedInventory known;

    ClusterInventoryCache(
            AcceleratorTypeStore types, PoolStore pools, NodeStore nodes, TenantStore tenants, JobGroupStore groups) {
        this.pools = pools;
        this.types = types;
        this.nodes = nodes;
        this.tenants = tenants;
        this.groups = groups;
    }

    /**
     * A version of the cluster inventory.
     *
     * @param version version in the database, which increases with every change
     * @param hardware the inventory of that version
     */
    record CachedInventory(long version, ClusterInventory hardware) {}

    /** The cached inventory, which may be outdated. The caller must compare its version later. */
    CachedInventory last() {
        CachedInventory current = known;
        return current == null ? now() : current;
    }

    /** The current inventory. The version is read first, so the inventory is at least as new as its version. */
    CachedInventory now() {
        long version = nodes.clusterVersion();
        CachedInventory current = known;
        if (current == null || current.version() != version) {
            current = new CachedInventory(
                    version,
                    new ClusterInventory(
                            types.all("name"), pools.all("name"), nodes.all(), tenants.all(), groups.all()));
            known = current;
        }
        return current;
    }
}
