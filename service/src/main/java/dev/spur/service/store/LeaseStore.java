package dev.spur.service.store;

import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * The lease of the planner, or of each planning domain where there are some. It runs on the clock of the database
 * alone; whoever takes it gets an leaseTerm that nobody had before, and publication is fenced with that lease term.
 */
@Repository
public class LeaseStore {
    /**
     * True for a lease that has ended, or that was given before the clock of the database was set back: no lease that
     * is given now ends later than twice its length from now. A lease that is infinite by intention is never free.
     */
    static final String FREE = """
            (expires_at <= clock_timestamp() or (expires_at > clock_timestamp() + 2 * lease_duration and expires_at <> 'infinity'))
            """;

    /** Longest pause between two statements under the lock of the lease; writing a large plan down is one. */
    private static final String SILENT = "6s";

    private final JdbcClient jdbc;

    LeaseStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Name of the row of a domain's lease; null for the one lease of what is not divided. */
    static String row(@Nullable String domain) {
        return domain == null ? "planner" : "planner/" + domain;
    }

    /**
     * How many replicas would plan, among them {@code holder}, who says so with this.
     *
     * @param seconds for so long a replica counts that says nothing more
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

    /**
     * The first {@code limit} leases that somebody holds whose row comes after {@code after}, by the name of their row.
     */
    public List<Planner> held(String after, int limit) {
        return jdbc.sql("""
                        select nullif(substr(name, length('planner/') + 1), '') as domain, holder, lease_term, acquired_at from planner_lease
                        where holder <> '' and expires_at > clock_timestamp() and name > ? order by name limit ?
                        """)
                .params(after, limit)
                .query((row, index) -> new Planner(
                        row.getString("domain"),
                        row.getString("holder"),
                        row.getLong("lease_term"),
                        Rows.instant(row, "acquired_at")))
                .list();
    }

    /** Says that a replica plans no more. */
    public void leave(String holder) {
        jdbc.sql("delete from planner_replica where holder = ?").param(holder).update();
    }

    /** Takes the lease of what is not divided. */
    public OptionalLong take(String holder, double seconds) {
        return take(null, holder, seconds);
    }

    /**
     * Takes the lease of a domain if it is free. Returns the new lease term; empty if another replica holds the lease,
     * or if the database was restored and executors may still report what they run.
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

    /** Prolongs the lease. Returns false if it is lost. */
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
    public void release(@Nullable String domain, String holder, long leaseTerm) {
        jdbc.sql("""
                        update planner_lease set expires_at = clock_timestamp()
                        where name = ? and holder = ? and lease_term = ? and expires_at > clock_timestamp()
                        """).params(row(domain), holder, leaseTerm).update();
    }

    /** {@link #lock(String, String, long)} of what is not divided. */
    public boolean lock(String holder, long leaseTerm) {
        return lock(null, holder, leaseTerm);
    }

    /**
     * True if the lease of a domain is held. Then nobody else can take it until the transaction ends, without which
     * this says nothing, and no other domain publishes either. A transaction that says nothing for so long that its
     * planner must be gone is ended by the database.
     */
    public boolean lock(@Nullable String domain, String holder, long leaseTerm) {
        boolean held = jdbc.sql("""
                        select set_config('idle_in_transaction_session_timeout', ?, true) from planner_lease
                        where name = ? and holder = ? and lease_term = ? and expires_at > clock_timestamp()
                        for update
                        """)
                .params(SILENT, row(domain), holder, leaseTerm)
                .query(String.class)
                .optional()
                .isPresent();
        if (held && domain != null) {
            lockNumbers();
        }
        return held;
    }

    /** Locks what numbers are given under, and plans are published. */
    void lockNumbers() {
        jdbc.sql("select name from planner_lease where name = 'planner' for update")
                .query(row -> {});
    }

    /** True if somebody holds the lease of a domain. */
    boolean isHeld(@Nullable String domain) {
        return jdbc.sql("select not %s from planner_lease where name = ?".formatted(FREE))
                .param(row(domain))
                .query(Boolean.class)
                .optional()
                .orElse(false);
    }
}
