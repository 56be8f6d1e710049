package dev.spur.service.web.access;

import dev.spur.service.database.ScopeCondition;
import dev.spur.service.security.AccessScope;
import dev.spur.service.security.ResourceAuthorizer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Scopes of callers, and the objects within them. */
@Repository
public class AccessScopeStore implements ResourceAuthorizer {
    private final JdbcClient jdbc;

    AccessScopeStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Returns the scope of a caller that is confined to some tenants, including all below them, and to a node.
     *
     * @throws AuthenticationProblemException if the tenants below cannot be read
     */
    AccessScope of(@Nullable Collection<String> tenants, @Nullable String node) {
        if (tenants == null) {
            return node == null ? AccessScope.ALL : new AccessScope(null, node);
        }
        try {
            return new AccessScope(withAllBelow(tenants), node);
        } catch (DataAccessException away) {
            throw AuthenticationProblemException.unavailable(
                    "The database does not respond, so the tenants of the caller cannot be read.", away);
        }
    }

    @Override
    public boolean reaches(AccessScope reach, String collection, String id) {
        return switch (collection) {
            case "jobs" -> hasJob(reach, id);
            case "arrays" -> exists("job_array where id = ?", " and tenant = any(?)", reach, id);
            case "groups" -> exists("job_group where name = ?", " and tenant = any(?)", reach, id);
            case "reservations" ->
                exists("reservation where name = ?", " and (tenant is null or tenant = any(?))", reach, id);
            // the scope of its owner must not have been wider
            case "webhooks" -> exists("webhook where id = ?", " and tenants <@ cast(? as text[])", reach, id);
            case "tenants" -> reach.covers(id);
            case "nodes", "executors" -> reach.node() == null || reach.node().equals(id);
            default -> throw new IllegalStateException("no owner is defined for " + collection);
        };
    }

    /** Returns the tenants with these names and all their descendants. */
    public Set<String> withAllBelow(Collection<String> tenants) {
        return new HashSet<>(jdbc.sql("""
                        with recursive below as (
                            select name from tenant where name = any(?)
                            union
                            select tenant.name from tenant join below on tenant.parent = below.name)
                        select name from below
                        """)
                .param(tenants.toArray(String[]::new))
                .query(String.class)
                .list());
    }

    /** Returns true if the job exists within the scope. */
    public boolean hasJob(AccessScope reach, String id) {
        return !jobsAmong(reach, List.of(id)).isEmpty();
    }

    /** Returns those of {@code ids} that are jobs within the scope. */
    public Set<String> jobsAmong(AccessScope reach, Collection<String> ids) {
        List<Object> parameters = new ArrayList<>();
        parameters.add(ids.toArray(String[]::new));
        String within = ScopeCondition.jobs(reach, "job", parameters);
        return new HashSet<>(jdbc.sql("select id from job where id = any(?)" + within)
                .params(parameters)
                .query(String.class)
                .list());
    }

    private boolean exists(String what, String within, AccessScope reach, String name) {
        Set<String> tenants = reach.tenants();
        List<Object> parameters = new ArrayList<>(List.of(name));
        if (tenants != null) {
            parameters.add(tenants.toArray(String[]::new));
        }
        return jdbc.sql("select exists (select from " + what + (tenants == null ? "" : within) + ")")
                .params(parameters)
                .query(Boolean.class)
                .single();
    }
}
