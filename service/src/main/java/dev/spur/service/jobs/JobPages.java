package dev.spur.service.jobs;

import dev.spur.model.json.RoundJson;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.Rows;
import dev.spur.service.database.ScopeCondition;
import dev.spur.service.security.AccessScope;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Pages of jobs. */
@Repository
public class JobPages {
    private final JdbcClient jdbc;

    JobPages(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Filter of a list of jobs.
     *
     * @param reach access scope of the caller
     * @param kind kind of the jobs; null for all
     * @param ids ids of the jobs; empty for all
     * @param states states of the jobs; empty for all
     * @param tenant tenant of the jobs; null for all
     * @param owner owner of the jobs; null for all
     * @param externalId external id of the job; null for all
     * @param array array of the jobs; {@code NONE} for jobs without one, null for all
     * @param search text that the names or ids of the jobs contain, without regard to case; null for all
     * @param label label of the jobs, name and value; empty for all
     * @param since earliest submission time, inclusive; null for all
     * @param until latest submission time, exclusive; null for all
     */
    public record Filter(
            AccessScope reach,
            @Nullable JobKind kind,
            List<String> ids,
            List<String> states,
            @Nullable String tenant,
            @Nullable String owner,
            @Nullable String externalId,
            @Nullable String array,
            @Nullable String search,
            Map<String, String> label,
            @Nullable Instant since,
            @Nullable Instant until) {}

    /**
     * Returns the newest jobs submitted before number {@code before}, the newest first, without their specifications.
     */
    public List<StoredJob> list(Filter filter, long before, int limit) {
        StringBuilder sql = new StringBuilder(JobStore.SUMMARY + " from job where seq < ?");
        List<Object> parameters = new ArrayList<>(List.of(before));
        sql.append(ScopeCondition.jobs(filter.reach(), "job", parameters));
        if (filter.kind() != null) {
            sql.append(" and kind = ?");
            parameters.add(filter.kind().name());
        }
        if (!filter.ids().isEmpty()) {
            sql.append(" and id = any(?)");
            parameters.add(filter.ids().toArray(String[]::new));
        }
        if (!filter.states().isEmpty()) {
            sql.append(" and state = any(?)");
            parameters.add(filter.states().toArray(String[]::new));
        }
        if (filter.since() != null) {
            sql.append(" and submitted_at >= ?");
            parameters.add(Rows.utc(filter.since()));
        }
        if (filter.until() != null) {
            sql.append(" and submitted_at < ?");
            parameters.add(Rows.utc(filter.until()));
        }
        if (filter.tenant() != null) {
            sql.append(" and tenant = ?");
            parameters.add(filter.tenant());
        }
        if (filter.owner() != null) {
            sql.append(" and owner = ?");
            parameters.add(filter.owner());
        }
        if (filter.externalId() != null) {
            sql.append(" and external_id = ?");
            parameters.add(filter.externalId());
        }
        if ("NONE".equals(filter.array())) {
            sql.append(" and array_id is null");
        } else if (filter.array() != null) {
            sql.append(" and array_id = ?");
            parameters.add(filter.array());
        }
        if (filter.search() != null) {
            sql.append(" and (strpos(lower(name), lower(?)) > 0 or strpos(id, lower(?)) > 0)");
            parameters.addAll(List.of(filter.search(), filter.search()));
        }
        if (!filter.label().isEmpty()) {
            sql.append(" and labels @> cast(? as jsonb)");
            parameters.add(RoundJson.mapper().writeValueAsString(filter.label()));
        }
        parameters.add(limit);
        return jdbc.sql(sql.append(" order by seq desc limit ?").toString())
                .params(parameters)
                .query(RecordMapper.of(StoredJob.class))
                .list();
    }
}
