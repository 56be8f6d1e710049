package dev.spur.service.store;

import dev.spur.model.json.RoundJson;
import dev.spur.service.security.AccessScope;
import java.util.List;
import java.util.Map;

/** The part of a condition that keeps a query within the reach of a caller. */
final class ScopeCondition {
    private static final String HELD = """
             and exists (select from job_allocation held where held.job_id = %s.id
                and (held.allocation @> cast(? as jsonb) or held.allocation @> cast(? as jsonb)))
            """;

    private ScopeCondition() {}

    /**
     * A condition on jobs that begins with {@code and}, empty if everything is within reach; its parameters go to
     * {@code parameters}. A node reaches the jobs that hold or have held something on it, because it reports on them
     * still.
     *
     * @param job name of the table in the query
     */
    static String jobs(AccessScope reach, String job, List<Object> parameters) {
        StringBuilder sql = new StringBuilder(tenants(reach, job + ".tenant", parameters));
        if (reach.node() != null) {
            sql.append(HELD.formatted(job));
            for (String part : List.of("placement", "aggregation")) {
                parameters.add(RoundJson.mapper()
                        .writeValueAsString(Map.of(part, List.of(Map.of("node", reach.node())))));
            }
        }
        return sql.toString();
    }

    /** A condition on preparations, like the above. A node reaches those that run on it. */
    static String preparations(AccessScope reach, List<Object> parameters) {
        String within = tenants(reach, "tenant", parameters);
        if (reach.node() == null) {
            return within;
        }
        parameters.add(reach.node());
        return within + " and allocation ->> 'node' = ?";
    }

    /** A condition on a column that holds the name of a tenant, like the above. */
    static String tenants(AccessScope reach, String column, List<Object> parameters) {
        if (reach.tenants() == null) {
            return "";
        }
        parameters.add(reach.tenants().toArray(String[]::new));
        return " and " + column + " = any(?)";
    }
}
