package dev.spur.service.access;

import dev.spur.service.security.AccessScope;
import dev.spur.service.security.ResourceAuthorizer;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/** Determines the scope of callers, and the owners of resources. */
@Component
class AccessScopeResolver implements ResourceAuthorizer {
    private final AccessScopeStore store;

    AccessScopeResolver(AccessScopeStore store) {
        this.store = store;
    }

    /**
     * The scope of a caller that is confined to some tenants, including all below them, and to a node.
     *
     * @throws TokenStoreUnavailableException if the tenants below cannot be read
     */
    AccessScope of(@Nullable Collection<String> tenants, @Nullable String node) {
        if (tenants == null) {
            return node == null ? AccessScope.ALL : new AccessScope(null, node);
        }
        try {
            return new AccessScope(store.withAllBelow(tenants), node);
        } catch (DataAccessException away) {
            throw new TokenStoreUnavailableException(
                    "The database does not respond, so the tenants of the caller cannot be read.", away);
        }
    }

    @Override
    public boolean reaches(AccessScope reach, String collection, String id) {
        return switch (collection) {
            case "jobs" -> store.hasJob(reach, id);
            case "groups" -> store.hasGroup(reach, id);
            case "reservations" -> store.hasReservation(reach, id);
            case "simulations" -> store.hasSimulation(reach, id);
            case "webhooks" -> store.hasWebhook(reach, id);
            case "tenants" -> reach.covers(id);
            case "nodes", "executors" -> reach.node() == null || reach.node().equals(id);
            default -> throw new IllegalStateException("no owner is defined for " + collection);
        };
    }
}
