package dev.spur.service.store;

import java.util.OptionalLong;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * The lease of the planner. It runs on the clock of the database alone; whoever takes it gets an epoch that nobody had
 * before, and publication is fenced with that epoch.
 */
@Repository
public class LeaseStore {
    /** Longest pause between two statements under the lock of the lease; writing a large plan down is one. */
    private static final String SILENT = "6s";

    private final JdbcClient jdbc;

    LeaseStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Takes the lease if it has run out. Returns the new epoch, or nothing if somebody holds it or the database was restored and
     * nobody has taken it up.
     */
    public OptionalLong take(String holder, double seconds) {
        return jdbc.sql("""
                        update planner_lease
                        set holder = ?, epoch = epoch + 1, expires_at = clock_timestamp() + make_interval(secs => ?)
                        where name = 'planner' and expires_at <= clock_timestamp() and %s
                        returning epoch
                        """.formatted(Restorations.TAKEN_UP))
                .params(holder, seconds)
                .query(Long.class)
                .optional()
                .map(OptionalLong::of)
                .orElseGet(OptionalLong::empty);
    }

    /** Prolongs the lease. Returns false if it is lost. */
    public boolean keep(String holder, long epoch, double seconds) {
        return jdbc.sql("""
                        update planner_lease set expires_at = clock_timestamp() + make_interval(secs => ?)
                        where name = 'planner' and holder = ? and epoch = ? and expires_at > clock_timestamp()
                        """).params(seconds, holder, epoch).update() == 1;
    }

    /** Ends the lease at once if it is still held. */
    public void release(String holder, long epoch) {
        jdbc.sql("""
                        update planner_lease set expires_at = clock_timestamp()
                        where name = 'planner' and holder = ? and epoch = ? and expires_at > clock_timestamp()
                        """).params(holder, epoch).update();
    }

    /**
     * True if the lease is held. Then nobody else can take it until the transaction ends, without which this says nothing.
     * A transaction that says nothing for so long that its planner must be gone is ended by the database.
     */
    public boolean lock(String holder, long epoch) {
        return jdbc.sql("""
                        select set_config('idle_in_transaction_session_timeout', ?, true) from planner_lease
                        where name = 'planner' and holder = ? and epoch = ? and expires_at > clock_timestamp()
                        for update
                        """)
                .params(SILENT, holder, epoch)
                .query(String.class)
                .optional()
                .isPresent();
    }
}
