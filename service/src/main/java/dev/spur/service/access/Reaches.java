package dev.spur.service.access;

import dev.spur.service.security.Ownership;
import dev.spur.service.security.Reach;
import dev.spur.service.store.ReachStore;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/** Knows how far callers reach, and what is there. */
@Component
class Reaches implements Ownership {
    private final ReachStore store;

    Reaches(ReachStore store) {
        this.store = store;
    }

    /**
     * The reach of who is confined to some tenants, and so to all below them, and to a node.
     *
     * @throws StoreAway if what is below them cannot be said
     */
    Reach of(@Nullable Collection<String> tenants, @Nullable String node) {
        if (tenants == null) {
            return node == null ? Reach.ALL : new Reach(null, node);
        }
        try {
            return new Reach(store.withAllBelow(tenants), node);
        } catch (DataAccessException away) {
            throw new StoreAway("The database that knows the tenants cannot be used at this time.", away);
        }
    }

    @Override
    public boolean reaches(Reach reach, String collection, String id) {
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
