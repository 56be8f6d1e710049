package dev.spur.service.access;

import dev.spur.service.database.ScopeCondition;
import dev.spur.service.security.AccessScope;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Queries for the objects within the access scope of a caller. */
@Repository
public class AccessScopeStore {
    private final JdbcClient jdbc;

    AccessScopeStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
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

    /** Returns true if the group exists within the scope. */
    public boolean hasGroup(AccessScope reach, String name) {
        return exists("job_group where name = ?", " and tenant = any(?)", reach, name);
    }

    /** Returns true if the reservation exists and does not belong to a tenant outside the scope. */
    public boolean hasReservation(AccessScope reach, String name) {
        return exists("reservation where name = ?", " and (tenant is null or tenant = any(?))", reach, name);
    }

    /** Returns true if the simulation exists and the scope of its owner was not wider than this scope. */
    public boolean hasSimulation(AccessScope reach, String id) {
        return exists("simulation where id = ?", " and tenants <@ cast(? as text[])", reach, id);
    }

    /** Returns true if the webhook exists and its tenants are within the scope. */
    public boolean hasWebhook(AccessScope reach, String id) {
        return exists("webhook where id = ?", " and tenants <@ cast(? as text[])", reach, id);
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
