package dev.spur.service.database;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * Recovery of a restored database. Between the export and now, another database was in use. It issued numbers that this
 * database does not know, and executors may still run its assignments. Every method must run in one transaction with
 * {@link #lock}.
 *
 * <p>Numbers jump above every number that can have been issued since the export. The jump is the elapsed time plus one
 * day, for clock differences, multiplied by a rate that is never reached. A second restore of the same export jumps
 * further, because more time has passed.
 */
@Repository
public class RestorationStore {
    /**
     * Upper limit of numbers issued per second: early rounds are at least 0.1 s apart, and each issues one number of
     * its kind.
     */
    private static final int ROUNDS_PER_SECOND = 10;

    /** Upper limit of commits per second on one row, and of values per second from one sequence. */
    private static final int CHANGES_PER_SECOND = 1000;

    private static final long SLACK_SECONDS = Duration.ofDays(1).toSeconds();

    private final JdbcClient jdbc;

    RestorationStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Restored database whose recovery has not started.
     *
     * @param exportedAt time of the export
     * @param seconds time since the export plus one day; at least one day
     */
    public record RestoredDatabase(Instant exportedAt, double seconds) {}

    /**
     * Returns the pending recovery, if there is one. Other replicas wait until the transaction ends, and then find
     * none.
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public Optional<RestoredDatabase> lock() {
        List<Instant> moments = jdbc.sql("""
                        select exported_at from restoration where recovered_at is null order by exported_at for update
                        """)
                .query((row, index) -> Objects.requireNonNull(Rows.instant(row, "exported_at")))
                .list();
        return moments.stream().findFirst().map(first -> new RestoredDatabase(first, secondsSince(first)));
    }

    private double secondsSince(Instant moment) {
        return jdbc.sql("""
                        select greatest(0, extract(epoch from clock_timestamp() - cast(? as timestamptz))) + ?
                        """)
                .params(moment.atOffset(ZoneOffset.UTC), SLACK_SECONDS)
                .query(Double.class)
                .single();
    }

    /**
     * Returns the longest time in seconds for which an executor of this database keeps running without an answer; 0 if
     * there are no executors.
     */
    public double longestLease() {
        return jdbc.sql("select coalesce(max(extract(epoch from lease_duration)), 0) from executor")
                .query(Double.class)
                .single();
    }

    /** Starts the recovery. Returns the time until which no job is planned or started. */
    public Instant takeUp(RestoredDatabase restored, double graceSeconds) {
        jdbc.sql("""
                        update restoration set recovered_at = clock_timestamp(),
                            min_next_number = ceil(:seconds * :rate) + (select greatest(
                                (select max(revision) from plan), (select max(number) from round), (select max(generation) from job),
                                (select max(generation) from assignment),
                                (select lease_term from planner_lease), (select max(min_next_number) from restoration), 0)),
                            recovery_ends_at = clock_timestamp() + make_interval(secs => :quiet)
                        where recovered_at is null
                        """)
                .param("seconds", restored.seconds())
                .param("rate", ROUNDS_PER_SECOND)
                .param("quiet", graceSeconds)
                .update();
        return jdbc.sql("select max(recovery_ends_at) as recovery_ends_at from restoration")
                .query((row, index) -> Objects.requireNonNull(Rows.instant(row, "recovery_ends_at")))
                .single();
    }

    /** Raises sequences and row versions above every value that they can have had. */
    public void raiseCounters(RestoredDatabase restored) {
        long jump = (long) Math.ceil(restored.seconds() * CHANGES_PER_SECOND);
        jdbc.sql("""
                        select setval(cast(format('%I.%I', schemaname, sequencename) as regclass), coalesce(last_value, 0) + ?)
                        from pg_sequences where schemaname = current_schema() and not cycle
                        """).param(jump).query(row -> {});
        List<String> versions = jdbc.sql("""
                        select format('update %I set %2$I = %2$I + %3$s', c.table_name, c.column_name, cast(? as bigint))
                        from information_schema.columns c
                        join information_schema.tables t using (table_schema, table_name)
                        where table_schema = current_schema() and t.table_type = 'BASE TABLE'
                          and column_name in ('version', 'spec_version') and data_type = 'bigint'
                        """).param(jump).query(String.class).list();
        versions.forEach(update -> jdbc.sql(update).update());
    }

    /** Fences every earlier planner. The replicas cannot take a lease before the recovery period ends. */
    public void keepPlannersOut() {
        jdbc.sql("""
                        update planner_lease set holder = '', lease_term = greatest(lease_term + 1, %s),
                            expires_at = clock_timestamp()
                        """.formatted(RestoreConditions.FLOOR)).update();
    }

    /**
     * Requires executors to register again with their running assignments. A job that starts again resumes from its
     * newest checkpoint of any generation.
     */
    public void callExecutors() {
        jdbc.sql("update executor set registration_epoch = nextval('executor_registration_epoch')")
                .update();
        jdbc.sql("update job set started_generation = %s where command is not null and is_active(state)"
                        .formatted(RestoreConditions.FLOOR))
                .update();
    }

    /**
     * Resets the state that reports of executors cannot restore. Preparations start again, connectors only observe, and
     * no proposal counts as approved.
     */
    public void stopUnreachable(RestoredDatabase restored) {
        jdbc.sql("""
                        update job set state = 'WAITING', resource_grant = null, allocated_since = null, waiting_since = now(),
                            generation = %s
                        where kind = 'DATA_PREPARATION' and is_active(state)
                        """.formatted(RestoreConditions.FLOOR)).update();
        jdbc.sql("update proposal set status = 'SUPERSEDED' where status in ('OPEN', 'APPROVED')")
                .update();
        jdbc.sql("""
                        update connector set control_level = 'OBSERVE', holder = '', expires_at = clock_timestamp(), circuit_open_reason = ?
                        where control_level <> 'OBSERVE'
                        """)
                .param("The database was restored as of %s.".formatted(restored.exportedAt()))
                .update();
    }

    /** Adds an event to the history of every job that has not ended. */
    public void recordOnJobs(RestoredDatabase restored) {
        jdbc.sql("""
                        insert into job_event (job_id, kind, detail)
                        select id, 'RESTORED', jsonb_build_object('exportedAt', cast(? as text)) from job where is_active(state) order by seq
                        """).param(restored.exportedAt().toString()).update();
    }
}
