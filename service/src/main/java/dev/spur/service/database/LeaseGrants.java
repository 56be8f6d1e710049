package dev.spur.service.database;

import java.time.Instant;
import java.util.Objects;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * Extends leases and limits pauses on the clock of the database, after a restore or a jump of that clock. Every method
 * must run in the transaction that reads the clock.
 */
@Repository
@Transactional(propagation = Propagation.MANDATORY)
public class LeaseGrants {
    private final JdbcClient jdbc;

    LeaseGrants(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Extends the leases of all executors that are not lost. Incomplete gangs start to wait for their members again,
     * and jobs of platforms count as seen now.
     *
     * @return the time until which executors can report before they are lost
     */
    public Instant toExecutors(double seconds) {
        jdbc.sql("""
                        update executor set seen_at = least(seen_at, now.at), lease_expires_at = now.at + make_interval(secs => :seconds),
                            reclaim_at = now.at + make_interval(secs => :seconds)
                        from (select clock_timestamp() as at) now where state = 'ALIVE';
                        update assignment set ready_at = null, changed_at = clock_timestamp() where state in ('OFFERED', 'ACCEPTED');
                        update connector_job set seen_at = clock_timestamp()
                        """).param("seconds", seconds).update();
        return jdbc.sql("select clock_timestamp() + make_interval(secs => ?) as until")
                .param(seconds)
                .query((row, index) -> Objects.requireNonNull(Rows.instant(row, "until")))
                .single();
    }

    /**
     * Extends the recovery period after a restore if it had not ended when the clock was last read,
     * {@code elapsedSeconds} ago.
     */
    public void toRestoration(double elapsedSeconds, double seconds) {
        jdbc.sql("""
                        update restoration set recovery_ends_at = clock_timestamp() + make_interval(secs => :seconds)
                        where recovery_ends_at > clock_timestamp() - make_interval(secs => :elapsed)
                        """).param("elapsed", elapsedSeconds).param("seconds", seconds).update();
    }

    /** Limits the remaining pause of each job and recovered device to its longest possible pause. */
    public void limitPauses(double retrySeconds, double recoverySeconds) {
        jdbc.sql("""
                        update job set retry_at = now() + make_interval(secs => :retry), version = version + 1
                        where retry_at > now() + make_interval(secs => :retry);
                        update device_health set quarantined_until = clock_timestamp() + make_interval(secs => :recovery)
                        where quarantined_until > clock_timestamp() + make_interval(secs => :recovery)
                        """)
                .param("retry", retrySeconds)
                .param("recovery", recoverySeconds)
                .update();
    }
}
