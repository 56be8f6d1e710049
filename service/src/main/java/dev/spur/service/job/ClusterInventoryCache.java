package dev.spur.service.job;

import dev.spur.service.store.ClusterInventoryStore;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The hardware that is registered now, read again only when the database says that it has changed. */
@Component
class ClusterInventoryCache {
    private final ClusterInventoryStore store;
    private volatile @Nullable CachedInventory known;

    ClusterInventoryCache(ClusterInventoryStore store) {
        this.store = store;
    }

    /**
     * What was registered at a time.
     *
     * @param version the number that tells whether it has changed since
     * @param hardware what was registered
     */
    record CachedInventory(long version, ClusterInventory hardware) {}

    /** As it was when somebody last asked the database: for those who have the version compared later. */
    CachedInventory last() {
        CachedInventory current = known;
        return current == null ? now() : current;
    }

    /** As it is. The version is read first: what is read after it is at least as new. */
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
