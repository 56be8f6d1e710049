package dev.spur.service.access;

import dev.spur.service.security.AccessScope;
import dev.spur.service.security.ResourceAuthorizer;
import dev.spur.service.store.AccessScopeStore;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/** Knows how far callers reach, and what is there. */
@Component
class AccessScopeResolver implements ResourceAuthorizer {
    private final AccessScopeStore store;

    AccessScopeResolver(AccessScopeStore store) {
        this.store = store;
    }

    /**
     * The reach of who is confined to some tenants, and so to all below them, and to a node.
     *
     * @throws StoreAway if what is below them cannot be said
     */
    AccessScope of(@Nullable Collection<String> tenants, @Nullable String node) {
        if (tenants == null) {
            return node == null ? AccessScope.ALL : new AccessScope(null, node);
        }
        try {
            return new AccessScope(store.withAllBelow(tenants), node);
        } catch (DataAccessException away) {
            throw new TokenStoreUnavailableException(
                    "The database that knows the tenants cannot be used at this time.", away);
        }
    }

    @Override
    public boolean reaches(AccessScope reach, String collection, String id) {
        return switch (collection) {
            case "jobs" -> store.hasJob(reach, id);
            case "preparations" -> store.hasPreparation(reach, id);
            case "groups" -> store.hasGroup(reach, id);
            case "reservations" -> store.hasReservation(reach, id);
            case "simulations" -> store.hasSimulation(reach, id);
            case "tenants" -> reach.covers(id);
            case "nodes", "executors" -> reach.node() == null || reach.node().equals(id);
            default -> throw new IllegalStateException("nobody knows who owns " + collection);
        };
    }
}
