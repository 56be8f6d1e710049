package dev.spur.service.plans;

import dev.spur.model.json.RoundJson;
import dev.spur.service.database.NotificationChannel;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.RestoreConditions;
import dev.spur.service.database.Rows;
import dev.spur.service.database.StatementBatch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** Rounds, from the request to the outcome. Numbers are issued under a lock, so that they ascend. */
@Repository
public class RoundStore {
    private static final String COLUMNS = """
            number, lease_term, trigger, requested_at, started_at, snapshot_at, finished_at, status, plan_revision, quality, stats,
            coalesce(steps, '[]') as steps, coalesce(dropped, '[]') as dropped, error, input_hash,
            snapshot is not null as saved
            """;
    /** Inserts a round with the next number, unless the statement adds a condition. */
    private static final String INSERT = """
            insert into round (number, lease_term, trigger, status, started_at)
            select greatest(coalesce(max(number), 0), %s) + 1, :leaseTerm, :trigger, :status,
                case when :status = 'RUNNING' then now() end
            from round
            """.formatted(RestoreConditions.FLOOR);

    private static final String ABANDON = """
            update round set status = 'ABANDONED', finished_at = now(), error = 'abandoned by its planner'
            where status = 'RUNNING' and %s
            """.formatted(LeaseStore.HELD);
    private static final String BEGIN = """
            with requested as (
                update round set status = :status, lease_term = :leaseTerm, started_at = now()
                where number = (select min(number) from round where status = 'REQUESTED') and %s
                returning number),
            added as (%s having %s and not exists (select from requested) returning number)
            select number from requested union all select number from added
            """.formatted(LeaseStore.HELD, INSERT, LeaseStore.HELD);
    /** Condition for a round that a request does not add to: it is requested, or runs under a lease. */
    private static final String UNFINISHED = """
            status in ('REQUESTED', 'RUNNING')
                and (status = 'REQUESTED' or exists (select from planner_lease where not %s))
            """.formatted(LeaseStore.FREE);
    /** Marks a round as published, in the transaction of the publication. */
    public static final String PUBLISHED =
            "update round set status = 'PUBLISHED', plan_revision = :revision where number = :round and lease_term = :leaseTerm";

    private final JdbcClient jdbc;
    private final NamedParameterJdbcOperations statements;

    RoundStore(JdbcClient jdbc, NamedParameterJdbcOperations statements) {
        this.jdbc = jdbc;
        this.statements = statements;
    }

    /**
     * Result of a request for a round.
     *
     * @param number number of the requested round, or of the round in progress
     * @param running true if a round is in progress, so that no new one was requested
     */
    public record Request(long number, boolean running) {}

    /**
     * Requests a round and notifies the planner, unless one is in progress. A pending request is reused.
     *
     * @param payload payload of the notification
     */
    @Transactional
    public Request request(String trigger, String payload) {
        StatementBatch batch = new StatementBatch(statements)
                .with("leaseTerm", 0)
                .with("trigger", trigger)
                .with("status", RoundStatus.REQUESTED.name())
                .with("channel", NotificationChannel.CHANGED)
                .with("payload", payload);
        batch.query(LeaseStore.LOCK_NUMBERS, (row, index) -> true);
        batch.add(INSERT + "having not exists (select from round where " + UNFINISHED + ")");
        var oldest = batch.query(
                "select number, status = 'RUNNING' as running from round where " + UNFINISHED
                        + " order by status = 'REQUESTED', number limit 1",
                RecordMapper.of(Request.class));
        batch.query(
                "select pg_notify(:channel, :payload) where not exists (select from round where status = 'RUNNING' and "
                        + UNFINISHED + ")",
                (row, index) -> true);
        batch.execute();
        return oldest.first().orElseThrow();
    }

    /**
     * Starts a round under a lease: the requested one, or else a new one. Unfinished rounds of an earlier planner are
     * marked ABANDONED. Returns the number of the round; empty if the lease is lost.
     */
    @Transactional
    public OptionalLong begin(Lease lease, String trigger) {
        StatementBatch batch =
                new StatementBatch(statements).with("trigger", trigger).with("status", RoundStatus.RUNNING.name());
        LeaseStore.addLock(batch, lease);
        batch.add(ABANDON);
        var number = batch.query(BEGIN, (row, index) -> row.getLong("number"));
        batch.execute();
        return number.first().map(OptionalLong::of).orElseGet(OptionalLong::empty);
    }

    /** Stores the outcome of a round, unless the round has ended already. */
    public void finish(long number, long leaseTerm, RoundOutcome outcome) {
        var plan = outcome.plan();
        jdbc.sql("""
                        update round set status = :status, finished_at = now(), plan_revision = :revision,
                            quality = cast(:quality as jsonb), stats = cast(:stats as jsonb), steps = cast(:steps as jsonb),
                            dropped = cast(:dropped as jsonb), error = :error, memory = cast(:memory as jsonb),
                            snapshot_at = to_timestamp(cast(:snapshotAt as double precision)),
                            input_hash = :hash, snapshot = :snapshot
                        where number = :number and lease_term = :leaseTerm and finished_at is null
                        """)
                .param("status", outcome.status().name())
                .param("revision", outcome.planRevision(), java.sql.Types.BIGINT)
                .param("quality", plan == null ? null : json(plan.quality()))
                .param("stats", plan == null ? null : json(plan.stats()))
                .param("memory", plan == null || outcome.planRevision() == null ? null : json(plan.memory()))
                .param("steps", json(outcome.steps()))
                .param("dropped", json(outcome.dropped()))
                .param("error", outcome.error())
                .param("snapshotAt", outcome.snapshotAt(), java.sql.Types.DOUBLE)
                .param(
                        "hash",
                        outcome.problem() == null ? null : outcome.problem().hash())
                .param(
                        "snapshot",
                        outcome.problem() == null ? null : outcome.problem().gzip(),
                        java.sql.Types.BINARY)
                .param("number", number)
                .param("leaseTerm", leaseTerm)
                .update();
    }

    /**
     * Deletes the inputs of all but the newest {@code problems} rounds, and all but the newest {@code rounds} rounds.
     */
    public void prune(int problems, int rounds) {
        jdbc.sql("""
                        update round set snapshot = null
                        where snapshot is not null and number <= (select number from round order by number desc offset ? limit 1)
                        """).param(problems).update();
        jdbc.sql("""
                        delete from round where number <= (select number from round order by number desc offset ? limit 1)
                            and not exists (select 1 from plan where round_number = number)
                        """).param(rounds).update();
    }

    /** Returns one round. */
    public Optional<RoundRecord> find(long number) {
        return jdbc.sql("select " + COLUMNS + " from round where number = ?")
                .param(number)
                .query(RecordMapper.of(RoundRecord.class))
                .optional();
    }

    /**
     * Filter of a list of rounds.
     *
     * @param statuses statuses of the rounds; empty for all
     * @param since earliest start, inclusive; null for all
     * @param until latest start, exclusive; null for all
     */
    public record Filter(
            List<String> statuses,
            @Nullable Instant since,
            @Nullable Instant until) {}

    /** Returns at most {@code limit} rounds before {@code number}, the newest first. */
    public List<RoundRecord> before(long number, int limit) {
        return before(new Filter(List.of(), null, null), number, limit);
    }

    /** Returns at most {@code limit} rounds before {@code number} that match the filter, the newest first. */
    public List<RoundRecord> before(Filter filter, long number, int limit) {
        StringBuilder sql = new StringBuilder("select " + COLUMNS + " from round where number < ?");
        List<Object> parameters = new ArrayList<>(List.of(number));
        if (!filter.statuses().isEmpty()) {
            sql.append(" and status = any(?)");
            parameters.add(filter.statuses().toArray(String[]::new));
        }
        if (filter.since() != null) {
            sql.append(" and started_at >= ?");
            parameters.add(Rows.utc(filter.since()));
        }
        if (filter.until() != null) {
            sql.append(" and started_at < ?");
            parameters.add(Rows.utc(filter.until()));
        }
        parameters.add(limit);
        return jdbc.sql(sql.append(" order by number desc limit ?").toString())
                .params(parameters)
                .query(RecordMapper.of(RoundRecord.class))
                .list();
    }

    /** Returns the input of a round as JSON; empty if it was deleted. */
    public Optional<byte[]> problem(long number) {
        return jdbc.sql("select snapshot from round where number = ? and snapshot is not null")
                .param(number)
                .query(byte[].class)
                .optional()
                .map(StoredSnapshot::json);
    }

    private static String json(Object value) {
        return RoundJson.mapper().writeValueAsString(value);
    }
}
