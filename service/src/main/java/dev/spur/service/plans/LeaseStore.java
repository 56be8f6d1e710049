package dev.spur.service.plans;

import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.RestoreConditions;
import dev.spur.service.database.StatementBatch;
import java.util.List;
import java.util.OptionalLong;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * Lease of the planner. The lease runs on the clock of the database alone. The holder gets a lease term that was never
 * issued before; it is the fencing token of publication.
 */
@Repository
public class LeaseStore {
    /**
     * Condition for a lease that is free. It has ended, or it was granted before the clock of the database was set
     * back: a lease granted now never ends later than twice its duration from now.
     */
    public static final String FREE = """
            (expires_at <= clock_timestamp() or expires_at > clock_timestamp() + 2 * lease_duration)
            """;

    private static final String IN_TERM = " from planner_lease where holder = :holder and lease_term = :leaseTerm"
            + " and expires_at > clock_timestamp()";
    /** Condition that the lease is held, in a statement after {@link #addLock}. */
    public static final String HELD = "exists (select" + IN_TERM + ")";
    /** Locks the row that guards the assignment of numbers and the publication of plans. */
    public static final String LOCK_NUMBERS = "select holder from planner_lease for update";

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

    /** Returns the first {@code limit} replicas that hold the lease and whose name comes after {@code after}. */
    public List<Planner> heldLeases(String after, int limit) {
        return jdbc.sql("""
                        select holder as replica, lease_term, acquired_at as since from planner_lease
                        where holder <> '' and expires_at > clock_timestamp() and holder > ? limit ?
                        """)
                .params(after, limit)
                .query(RecordMapper.of(Planner.class))
                .list();
    }

    /**
     * Takes the lease if it is free. Returns the new lease term. The result is empty if another replica holds the
     * lease, or if the recovery from a restore is in progress.
     */
    public OptionalLong take(String holder, double seconds) {
        return jdbc.sql("""
                        update planner_lease
                        set holder = ?, lease_term = lease_term + 1, expires_at = clock_timestamp() + make_interval(secs => ?),
                            lease_duration = make_interval(secs => ?)
                        where %s and not %s
                        returning lease_term
                        """.formatted(FREE, RestoreConditions.QUIET))
                .params(holder, seconds, seconds)
                .query(Long.class)
                .optional()
                .map(OptionalLong::of)
                .orElseGet(OptionalLong::empty);
    }

    /** Renews the lease. Returns false if it is lost. */
    public boolean keep(Lease lease, double seconds) {
        return jdbc.sql("""
                        update planner_lease set expires_at = clock_timestamp() + make_interval(secs => ?),
                            lease_duration = make_interval(secs => ?)
                        where holder = ? and lease_term = ? and expires_at > clock_timestamp()
                        """)
                        .params(seconds, seconds, lease.holder(), lease.term())
                        .update()
                == 1;
    }

    /** Ends the lease at once if it is still held. */
    public void release(Lease lease) {
        jdbc.sql("""
                        update planner_lease set expires_at = clock_timestamp()
                        where holder = ? and lease_term = ? and expires_at > clock_timestamp()
                        """).params(lease.holder(), lease.term()).update();
    }

    /**
     * Locks a lease and returns true if its holder holds it in this term. Until the transaction ends, no other replica
     * can take the lease or publish. Outside a transaction the result has no meaning. The database ends a transaction
     * that is idle for longer than {@code SILENT}, because its planner is then presumed dead.
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
        return batch.with("holder", lease.holder())
                .with("leaseTerm", lease.term())
                .query(LOCK, (row, index) -> true);
    }
}
