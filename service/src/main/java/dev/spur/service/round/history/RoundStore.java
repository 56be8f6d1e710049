package dev.spur.service.round.history;

import dev.spur.model.json.RoundJson;
import dev.spur.model.round.RoundMemory;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.RestoreConditions;
import dev.spur.service.database.Rows;
import dev.spur.service.lease.LeaseStore;
import dev.spur.service.snapshot.StoredSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** Rounds, from the request to the outcome. Numbers are issued under a lock, so that they ascend. */
@Repository
public class RoundStore {
    private static final String COLUMNS = """
            number, lease_term, trigger, requested_at, started_at, snapshot_at, finished_at, status, plan_revision, quality, stats,
            coalesce(steps, '[]') as steps, coalesce(dropped, '[]') as dropped, error, input_hash,
            snapshot is not null as saved, domain
            """;
    private final JdbcClient jdbc;
    private final LeaseStore leases;

    RoundStore(JdbcClient jdbc, LeaseStore leases) {
        this.jdbc = jdbc;
        this.leases = leases;
    }

    /**
     * Result of a request for a round.
     *
     * @param number number of the requested round, or of the round in progress
     * @param running true if a round is in progress, so that no new one was requested
     */
    public record Request(long number, boolean running) {}

    /**
     * Requests a round, unless one is in progress. A pending request is reused.
     *
     * @param domain planning domain; null without planning domains
     */
    @Transactional
    public Request request(@Nullable String domain, String trigger) {
        leases.lockNumbers();
        Optional<Long> running = oldest(domain, RoundStatus.RUNNING);
        if (leases.isHeld(domain) && running.isPresent()) {
            return new Request(running.get(), true);
        }
        return new Request(
                oldest(domain, RoundStatus.REQUESTED)
                        .orElseGet(() -> insert(domain, 0, trigger, RoundStatus.REQUESTED)),
                false);
    }

    /** Returns true if a round is requested. */
    public boolean isRequested() {
        return oldest(null, RoundStatus.REQUESTED).isPresent();
    }

    /** Starts a round of the undivided state. */
    @Transactional
    public OptionalLong begin(String holder, long leaseTerm, String trigger) {
        return begin(null, holder, leaseTerm, trigger);
    }

    /**
     * Starts a round under the lease of a domain: the requested one, or else a new one. Unfinished rounds of an earlier
     * planner are marked ABANDONED. Returns the number of the round; empty if the lease is lost.
     */
    @Transactional
    public OptionalLong begin(@Nullable String domain, String holder, long leaseTerm, String trigger) {
        if (!leases.lock(domain, holder, leaseTerm)) {
            return OptionalLong.empty();
        }
        jdbc.sql("""
                        update round set status = 'ABANDONED', finished_at = now(), error = 'abandoned by its planner'
                        where status = 'RUNNING' and domain is not distinct from cast(? as text)
                        """).param(domain).update();
        Optional<Long> requested = oldest(domain, RoundStatus.REQUESTED);
        requested.ifPresent(number -> jdbc.sql(
                        "update round set status = 'RUNNING', lease_term = ?, started_at = now() where number = ?")
                .params(leaseTerm, number)
                .update());
        return OptionalLong.of(requested.orElseGet(() -> insert(domain, leaseTerm, trigger, RoundStatus.RUNNING)));
    }

    /** Returns the memory of the last round of a domain that has stored one. */
    public RoundMemory memory(String domain) {
        return jdbc.sql("""
                        select memory::text from round where memory is not null and domain = ? order by number desc limit 1
                        """)
                .param(domain)
                .query(String.class)
                .optional()
                .map(json -> RoundJson.mapper().readValue(json, RoundMemory.class))
                .orElse(RoundMemory.EMPTY);
    }

    /** Marks a round as published. Must run in the transaction of the publication. */
    public void published(long number, long leaseTerm, long planRevision) {
        jdbc.sql("update round set status = 'PUBLISHED', plan_revision = ? where number = ? and lease_term = ?")
                .params(planRevision, number, leaseTerm)
                .update();
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
     * @param domain planning domain; null for all
     * @param statuses statuses of the rounds; empty for all
     * @param since earliest start, inclusive; null for all
     * @param until latest start, exclusive; null for all
     */
    public record Filter(
            @Nullable String domain,
            List<String> statuses,
            @Nullable Instant since,
            @Nullable Instant until) {}

    /** Returns at most {@code limit} rounds before {@code number}, the newest first. */
    public List<RoundRecord> before(long number, int limit) {
        return before(new Filter(null, List.of(), null, null), number, limit);
    }

    /** Returns at most {@code limit} rounds before {@code number} that match the filter, the newest first. */
    public List<RoundRecord> before(Filter filter, long number, int limit) {
        StringBuilder sql = new StringBuilder("select " + COLUMNS + " from round where number < ?");
        List<Object> parameters = new ArrayList<>(List.of(number));
        if (filter.domain() != null) {
            sql.append(" and domain = ?");
            parameters.add(filter.domain());
        }
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

    private Optional<Long> oldest(@Nullable String domain, RoundStatus status) {
        return jdbc.sql("""
                        select number from round where status = ? and domain is not distinct from cast(? as text)
                        order by number limit 1
                        """)
                .param(status.name())
                .param(domain)
                .query(Long.class)
                .optional();
    }

    private long insert(@Nullable String domain, long leaseTerm, String trigger, RoundStatus status) {
        return jdbc.sql("""
                        insert into round (number, lease_term, trigger, status, domain, started_at)
                        select greatest(coalesce(max(number), 0), %s) + 1, :term, :trigger, :status, :domain,
                            case when :status = 'RUNNING' then now() end
                        from round returning number
                        """.formatted(RestoreConditions.FLOOR))
                .param("term", leaseTerm)
                .param("trigger", trigger)
                .param("status", status.name())
                .param("domain", domain)
                .query(Long.class)
                .single();
    }

    private static String json(Object value) {
        return RoundJson.mapper().writeValueAsString(value);
    }
}
