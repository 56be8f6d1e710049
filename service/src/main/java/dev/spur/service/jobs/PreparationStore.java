package dev.spur.service.jobs;

import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.json.RoundJson;
import dev.spur.service.database.RecordMapper;
import java.sql.Types;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Data preparations that have not ended, and their resources. */
@Repository
public class PreparationStore {
    private static final String SELECT = """
            select id, tenant, spec, command, waiting_since, generation, resource_grant as grant, done_work as done_seconds,
                   activity, held, unmet_dependencies,
                   case when retry_at > now() then retry_at end as retry_at,
                   case when not_before > now() then not_before end as not_before
            from job where kind = 'DATA_PREPARATION' and is_active(state)
            """;
    /** Selects the active preparations, in order of submission. */
    public static final String ACTIVE = SELECT + " order by seq";
    /** Selects the active preparations, and locks them until the transaction ends. */
    public static final String LOCK_ACTIVE = ACTIVE + " for no key update";
    /** Selects the preparations that hold resources, in order of submission. */
    public static final String GRANTED = SELECT + " and resource_grant is not null order by seq";

    private final JdbcClient jdbc;

    public PreparationStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns those of {@code ids} that are active preparations, and locks them until the transaction ends. */
    @Transactional(propagation = Propagation.MANDATORY)
    public List<StoredPreparation> lock(List<String> ids) {
        return jdbc.sql(SELECT + " and id = any(?) order by seq for no key update")
                .param(ids.toArray(String[]::new))
                .query(RecordMapper.of(StoredPreparation.class))
                .list();
    }

    /** Sets the resources of a preparation; null releases them. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void grant(String id, long generation, @Nullable PreparationAllocation grant) {
        jdbc.sql("""
                        update job set generation = :generation, version = version + 1, resource_grant = cast(:granted as jsonb),
                            allocated_since = to_timestamp(:since),
                            state = case when cast(:granted as jsonb) is null then 'WAITING' else 'RUNNING' end,
                            first_start = coalesce(first_start, to_timestamp(:since)),
                            waiting_since = case when cast(:granted as jsonb) is null and resource_grant is not null then now()
                                else waiting_since end
                        where id = :id
                        """)
                .param("generation", generation)
                .param("granted", grant == null ? null : RoundJson.mapper().writeValueAsString(grant))
                .param("since", grant == null ? null : grant.since(), Types.DOUBLE)
                .param("id", id)
                .update();
    }
}
