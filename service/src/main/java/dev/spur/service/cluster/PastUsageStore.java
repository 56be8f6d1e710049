package dev.spur.service.cluster;

import dev.spur.model.tenant.PastUsage;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.StatementBatch;
import java.util.List;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/**
 * Past usage of tenants with exponential decay by age. Updates are incremental, so that no query has to read the whole
 * past.
 */
@Repository
public class PastUsageStore {
    /** Half-lives of history that the first update reads. Older usage has decayed to less than a thousandth. */
    private static final int HALF_LIVES = 10;

    /**
     * Selects the usage until now: the stored usage, decayed since it was stored, plus the slot-seconds held since
     * then.
     */
    private static final String UNTIL_NOW = """
            with clock as (
                select coalesce((select as_of from usage_clock), now() - make_interval(secs => %d * :half)) as since),
            held as (
                select j.tenant, greatest(a.started_at, since) as began, least(coalesce(a.ended_at, now()), now()) as ended,
                    slots_held(a.allocation, j.device_share) as slots
                from clock, job_allocation a join job j on j.id = a.job_id
                where a.allocation is not null and a.started_at < now() and (a.ended_at is null or a.ended_at > since)),
            added as (
                select tenant, sum(slots * :half / ln(2) * (
                        power(2, -extract(epoch from now() - ended)::double precision / :half)
                        - power(2, -extract(epoch from now() - began)::double precision / :half))) as more
                from held where began < ended group by tenant)
            select t.name as tenant, coalesce(u.slot_seconds, 0) * power(2, -extract(epoch from now() - since)::double precision / :half)
                + coalesce(added.more, 0) as slot_seconds
            from clock, tenant t left join tenant_usage u on u.tenant = t.name left join added on added.tenant = t.name
            """.formatted(HALF_LIVES);

    private static final String START =
            "insert into usage_clock (as_of) values (now() - make_interval(secs => %d * :half)) on conflict do nothing"
                    .formatted(HALF_LIVES);

    private final JdbcClient jdbc;
    private final NamedParameterJdbcOperations statements;

    public PastUsageStore(JdbcClient jdbc, NamedParameterJdbcOperations statements) {
        this.jdbc = jdbc;
        this.statements = statements;
    }

    /**
     * Updates the stored usage. Concurrent updates wait for the end of the transaction.
     *
     * @param halfLife half-life in seconds, above 0
     */
    @Transactional
    public void advance(double halfLife) {
        StatementBatch batch =
                new StatementBatch(statements).with("half", halfLife).add(START);
        batch.query("select as_of from usage_clock for update", (row, index) -> true);
        batch.add("insert into tenant_usage (tenant, slot_seconds) " + UNTIL_NOW
                        + " on conflict (tenant) do update set slot_seconds = excluded.slot_seconds")
                .add("update usage_clock set as_of = now()")
                .execute();
    }

    /**
     * Returns the usage of each tenant until now, independent of the last update. Stores nothing.
     *
     * @param halfLife half-life in seconds, above 0
     */
    public List<PastUsage> untilNow(double halfLife) {
        return jdbc.sql(UNTIL_NOW + " order by t.name")
                .param("half", halfLife)
                .query(RecordMapper.of(PastUsage.class))
                .list();
    }

    /** Returns the stored usage of each tenant. */
    public List<PastUsage> all() {
        return jdbc.sql("select tenant, slot_seconds from tenant_usage order by tenant")
                .query(RecordMapper.of(PastUsage.class))
                .list();
    }
}
