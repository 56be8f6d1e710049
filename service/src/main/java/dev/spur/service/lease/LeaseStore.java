package dev.spur.service.lease;

import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.RestoreConditions;
import dev.spur.service.database.StatementBatch;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * Lease of the planner, or of each planning domain. The lease runs on the clock of the database alone. The holder gets
 * a lease term that was never issued before; it is the fencing token of publication.
 */
@Repository
public class LeaseStore {
    /**
     * Condition for a lease that is free. It has ended, or it was granted before the clock of the database was set
     * back: a lease granted now never ends later than twice its duration from now. A lease that is infinite by
     * intention is never free.
     */
    public static final String FREE = """
            (expires_at <= clock_timestamp() or (expires_at > clock_timestamp() + 2 * lease_duration and expires_at <> 'infinity'))
            """;

    private static final String IN_TERM =
            " from planner_lease where name = :lease and holder = :holder and lease_term = :leaseTerm"
                    + " and expires_at > clock_timestamp()";
    /** Condition that the lease is held, in a statement after {@link #addLock}. */
    public static final String HELD = "exists (select" + IN_TERM + ")";
    /** Locks the row that guards the assignment of numbers and the publication of plans. */
    public static final String LOCK_NUMBERS = "select name from planner_lease where name = 'planner' for update";

    /**
     * Longest pause between two statements of a transaction that holds the lock of the lease. The serialization of a
     * large plan is such a pause.
     */
    private static final String SILENT = "6s";

    private static final String LOCK = "select set_config('idle_in_transaction_session_timeout', '" + SILENT
            + "', true)" + IN_TERM + " for update";

    private final JdbcClient jdbc;
    private final NamedParameterJdbcOperations statements;

    LeaseStore(JdbcClient jdbc, NamedParameterJdbcOperations statements) {
        this.jdbc = jdbc;
        this.statements = statements;
    }

    /** Returns the name of the row of the lease of a domain; null stands for the lease of the undivided state. */
    public static String row(@Nullable String domain) {
        return domain == null ? "planner" : "planner/" + domain;
    }

    /**
     * Registers {@code holder} as a candidate and returns the number of candidates.
     *
     * @param seconds time for which a candidate counts without another call
     */
    public int planners(String holder, double seconds) {
        jdbc.sql("""
                        insert into planner_replica (holder, seen_at) values (?, clock_timestamp())
                        on conflict (holder) do update set seen_at = excluded.seen_at
                        """).param(holder).update();
        jdbc.sql("delete from planner_replica where abs(extract(epoch from clock_timestamp() - seen_at)) > ?")
                .param(seconds)
                .update();
        return jdbc.sql("select count(*) from planner_replica")
                .query(Integer.class)
                .single();
    }

    /** Returns the first {@code limit} held leases whose row name comes after {@code after}, by row name. */
    public List<Planner> heldLeases(String after, int limit) {
        return jdbc.sql("""
                        select nullif(substr(name, length('planner/') + 1), '') as domain, holder as replica, lease_term,
                            acquired_at as since from planner_lease
                        where holder <> '' and expires_at > clock_timestamp() and name > ? order by name limit ?
                        """)
                .params(after, limit)
                .query(RecordMapper.of(Planner.class))
                .list();
    }

    /** Removes a replica from the candidates. */
    public void removeCandidate(String holder) {
        jdbc.sql("delete from planner_replica where holder = ?").param(holder).update();
    }

    /** Takes the lease of the undivided state. */
    public OptionalLong take(String holder, double seconds) {
        return take(null, holder, seconds);
    }

    /**
     * Takes the lease of a domain if it is free. Returns the new lease term. The result is empty if another replica
     * holds the lease, or if the recovery from a restore is in progress.
     */
    public OptionalLong take(@Nullable String domain, String holder, double seconds) {
        return jdbc.sql("""
                        update planner_lease
                        set holder = ?, lease_term = lease_term + 1, expires_at = clock_timestamp() + make_interval(secs => ?),
                            lease_duration = make_interval(secs => ?)
                        where name = ? and %s and not %s
                        returning lease_term
                        """.formatted(FREE, RestoreConditions.QUIET))
                .params(holder, seconds, seconds, row(domain))
                .query(Long.class)
                .optional()
                .map(OptionalLong::of)
                .orElseGet(OptionalLong::empty);
    }

    /** Renews the lease. Returns false if it is lost. */
    public boolean keep(@Nullable String domain, String holder, long leaseTerm, double seconds) {
        return jdbc.sql("""
                        update planner_lease set expires_at = clock_timestamp() + make_interval(secs => ?),
                            lease_duration = make_interval(secs => ?)
                        where name = ? and holder = ? and lease_term = ? and expires_at > clock_timestamp()
                        """)
                        .params(seconds, seconds, row(domain), holder, leaseTerm)
                        .update()
                == 1;
    }

    /** Ends the lease at once if it is still held. */
    public void removeCandidate(@Nullable String domain, String holder, long leaseTerm) {
        jdbc.sql("""
                        update planner_lease set expires_at = clock_timestamp()
                        where name = ? and holder = ? and lease_term = ? and expires_at > clock_timestamp()
                        """).params(row(domain), holder, leaseTerm).update();
    }

    /**
     * Locks a lease and returns true if its holder holds it in this term. Until the transaction ends, no other replica
     * can take the lease and no other domain can publish. Outside a transaction the result has no meaning. The database
     * ends a transaction that is idle for longer than {@code SILENT}, because its planner is then presumed dead.
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public boolean lock(Lease lease) {
        StatementBatch batch = new StatementBatch(statements);
        var held = addLock(batch, lease);
        batch.execute();
        return held.first().isPresent();
    }

    /**
     * Adds the lock of a lease to the statements of a transaction. The result has a row if the lease is held. The
     * statements after it are executed in any case, so those that change the database require {@link #HELD}.
     */
    public static StatementBatch.Query<Boolean> addLock(StatementBatch batch, Lease lease) {
        var held = batch.with("lease", row(lease.domain()))
                .with("holder", lease.holder())
                .with("leaseTerm", lease.term())
                .query(LOCK, (row, index) -> true);
        if (lease.domain() != null) {
            batch.query(LOCK_NUMBERS, (row, index) -> true);
        }
        return held;
    }
}
