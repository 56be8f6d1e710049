package dev.spur.service.job.lifecycle;

import dev.spur.service.cluster.ClusterInventoryStore;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Cache of the registered cluster. It is read again only when its version in the database has changed. */
@Component
class ClusterInventoryCache {
    private final ClusterInventoryStore store;
    private volatile @Nullable CachedInventory known;

    ClusterInventoryCache(ClusterInventoryStore store) {
        this.store = store;
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
        long version = store.version();
        CachedInventory current = known;
        if (current == null || current.version() != version) {
            current = new CachedInventory(
                    version, new ClusterInventory(store.types(), store.nodes(), store.tenants(), store.groups()));
            known = current;
        }
        return current;
    }
}
