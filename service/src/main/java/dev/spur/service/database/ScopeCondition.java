package dev.spur.service.database;

import dev.spur.model.json.RoundJson;
import dev.spur.service.security.AccessScope;
import java.util.List;
import java.util.Map;

/** SQL conditions that restrict a query to the access scope of a caller. */
public final class ScopeCondition {
    private static final String HELD = """
             and (exists (select from job_allocation held where held.job_id = %1$s.id
                and (held.allocation @> cast(? as jsonb) or held.allocation @> cast(? as jsonb)))
                or %1$s.resource_grant ->> 'node' = ?)
            """;

    private ScopeCondition() {}

    /**
     * Returns a condition on jobs that begins with {@code and}, and adds its values to {@code parameters}. The
     * condition is empty for an unrestricted scope. The scope of a node contains the jobs that hold or held resources
     * of it, because the node still reports on them.
     *
     * @param job table alias of the jobs in the query
     */
    public static String jobs(AccessScope reach, String job, List<Object> parameters) {
        StringBuilder sql = new StringBuilder(tenants(reach, job + ".tenant", parameters));
        if (reach.node() != null) {
            sql.append(HELD.formatted(job));
            for (String part : List.of("placement", "aggregation")) {
                parameters.add(RoundJson.mapper()
                        .writeValueAsString(Map.of(part, List.of(Map.of("node", reach.node())))));
            }
            parameters.add(reach.node());
        }
        return sql.toString();
    }

    /** Returns a condition of the same form on a column that contains the name of a tenant. */
    public static String tenants(AccessScope reach, String column, List<Object> parameters) {
        if (reach.tenants() == null) {
            return "";
        }
        parameters.add(reach.tenants().toArray(String[]::new));
        return " and " + column + " = any(?)";
    }
}
