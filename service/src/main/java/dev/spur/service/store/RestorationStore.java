package dev.spur.service.store;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Takes a restored database up. Between the export and now another database went on: it gave numbers that this one does
 * not know, and executors may still run what it told them. Every method belongs into one transaction with
 * {@link #lock}.
 *
 * <p>Numbers jump by more than can have been given since: by a rate that is never reached, for all of the time that has
 * passed and for a day, lest clocks that differ a little matter. A second restoration of the same export jumps further,
 * because more time has passed.
 */
@Repository
public class RestorationStore {
    /** Early rounds are at least a tenth of a second apart, and each gives a number of its kind once. */
    private static final int ROUNDS_PER_SECOND = 10;

    /** Far above what a database commits for one row, or gives of one sequence. */
    private static final int CHANGES_PER_SECOND = 1000;

    private static final long SLACK_SECONDS = Duration.ofDays(1).toSeconds();

    private static final String ACTIVE = "state in ('SUBMITTED', 'WAITING', 'RUNNING', 'COMPLETING')";

    private final JdbcClient jdbc;

    RestorationStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * A restored database that nobody has taken up.
     *
     * @param exportedAt the moment of which it is
     * @param seconds since then, a day more, at least a day
     */
    public record RestoredDatabase(Instant exportedAt, double seconds) {}

    /** What is to be taken up, if anything; other replicas wait until the transaction ends, and find nothing then. */
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

    /** Seconds for which an executor of this database may run on without an answer, at most; 0 if it has none. */
    public double longestLease() {
        return jdbc.sql("select coalesce(max(extract(epoch from lease_duration)), 0) from executor")
                .query(Double.class)
                .single();
    }

    /** Takes the database up, and returns the time until which nothing is to be planned or started. */
    public Instant takeUp(RestoredDatabase restored, double quietSeconds) {
        jdbc.sql("""
                        update restoration set recovered_at = clock_timestamp(),
                            min_next_number = ceil(:seconds * :rate) + (select greatest(
                                (select max(revision) from plan), (select max(number) from round), (select max(generation) from job),
                                (select max(generation) from assignment), (select max(generation) from preparation),
                                (select max(lease_term) from planner_lease), (select max(min_next_number) from restoration), 0)),
                            recovery_ends_at = clock_timestamp() + make_interval(secs => :quiet)
                        where recovered_at is null
                        """)
                .param("seconds", restored.seconds())
                .param("rate", ROUNDS_PER_SECOND)
                .param("quiet", quietSeconds)
                .update();
        return jdbc.sql("select max(recovery_ends_at) as recovery_ends_at from restoration")
                .query((row, index) -> Objects.requireNonNull(Rows.instant(row, "recovery_ends_at")))
                .single();
    }

    /** Lets sequences and versions of rows go on above whatever they can have been. */
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

    /** Fences every earlier planner. No replica can take a lease before the quiet time is over. */
    public void keepPlannersOut() {
        jdbc.sql("""
                        update planner_lease set holder = '', lease_term = greatest(lease_term + 1, %s),
                            expires_at = case when expires_at = 'infinity' then expires_at else clock_timestamp() end
                        """.formatted(RestoreConditions.FLOOR)).update();
    }

    /**
     * Executors must register again, with what they run; a job that starts again resumes from its newest checkpoint of
     * any generation.
     */
    public void callExecutors() {
        jdbc.sql("update executor set registration_epoch = nextval('executor_registration_epoch')")
                .update();
        jdbc.sql("update job set started_generation = %s where command is not null and %s"
                        .formatted(RestoreConditions.FLOOR, ACTIVE))
                .update();
    }

    /**
     * What no report can tell of is not gone on with: preparations start anew, connectors only look, and nothing counts
     * as approved.
     */
    public void stopWhatCannotBeAsked(RestoredDatabase restored) {
        jdbc.sql("""
                        update preparation set state = 'WAITING', allocation = null, waiting_since = now(), generation = %s
                        where state in ('WAITING', 'RUNNING')
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

    /** Tells it in the history of every job that has not ended. */
    public void tellJobs(RestoredDatabase restored) {
        jdbc.sql("""
                        insert into job_event (job_id, kind, detail)
                        select id, 'RESTORED', jsonb_build_object('exportedAt', cast(? as text)) from job where %s order by seq
                        """.formatted(ACTIVE)).param(restored.exportedAt().toString()).update();
    }
}
