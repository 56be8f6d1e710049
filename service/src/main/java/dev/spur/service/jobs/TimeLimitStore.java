package dev.spur.service.jobs;

import dev.spur.service.database.DatabaseClockStore;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * Run times of jobs with a time limit, by the clock of the database. The job of a connector is not included: its
 * platform ends it.
 */
@Repository
public class TimeLimitStore {
    /** Seconds of earlier starts that count. */
    private static final String EARLIER_SECONDS =
            "case when spec #>> '{timeLimit,per}' = 'START' then 0 else run_seconds end";
    /** Time at which a job reaches its limit if it keeps its slots; null while it holds none, and without a limit. */
    static final String LIMIT_AT = """
            case when limit_seconds is not null and allocated_since is not null
                then allocated_since + make_interval(secs => limit_seconds - %s) end""".formatted(EARLIER_SECONDS);

    private static final String IS_OVER = """
            limit_seconds is not null and state <> 'COMPLETING'
            and (%s <= %s or allocated_since is null and limit_seconds <= %s)
            and not exists (select from connector_job c where c.job_id = job.id)
            """.formatted(LIMIT_AT, DatabaseClockStore.STEADY_NOW, EARLIER_SECONDS);

    private final JdbcClient jdbc;

    TimeLimitStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns the jobs that have reached their time limit, in the order of submission. */
    public List<String> over() {
        return jdbc.sql("select id from job where %s order by seq".formatted(IS_OVER))
                .query(String.class)
                .list();
    }

    /** Returns true if the job has reached its time limit. */
    public boolean isOver(String id) {
        return jdbc.sql("select exists (select from job where id = ? and %s)".formatted(IS_OVER))
                .param(id)
                .query(Boolean.class)
                .single();
    }

    /**
     * Excludes {@code seconds} from the run times of all starts with a time limit: the clock was set forward by them,
     * or back if they are negative.
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public void exclude(double seconds) {
        jdbc.sql("""
                        update job set allocated_since = least(clock_timestamp(), allocated_since + make_interval(secs => ?))
                        where limit_seconds is not null and allocated_since is not null
                        """).param(seconds).update();
    }
}
