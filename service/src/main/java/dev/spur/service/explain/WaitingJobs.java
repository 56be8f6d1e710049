package dev.spur.service.explain;

import dev.spur.service.database.Rows;
import dev.spur.service.job.JobKind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Jobs as entries of the queue. */
@Repository
class WaitingJobs {
    private static final String COLUMNS = """
            select id, kind, name, tenant, owner, state, held, waiting_since,
                   case when retry_at > now() then retry_at end as retry_at,
                   extract(epoch from now() - waiting_since)::double precision as waiting_seconds,
                   (select string_agg(format('%s (%s)', p.name, lower(p.state)), ', ' order by p.seq)
                        from job p where p.id = any(job.depends_on)) as awaited from job
            """;

    private final JdbcClient jdbc;

    WaitingJobs(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns the waiting jobs, in order of submission. */
    public List<WaitingJob> all() {
        return jdbc.sql(COLUMNS + " where state in ('SUBMITTED', 'WAITING') order by seq")
                .query((row, index) -> read(row))
                .list();
    }

    /** Returns a job, whether it waits or not. */
    public Optional<WaitingJob> find(String id) {
        return jdbc.sql(COLUMNS + " where id = ?")
                .param(id)
                .query((row, index) -> read(row))
                .optional();
    }

    private static WaitingJob read(ResultSet row) throws SQLException {
        return new WaitingJob(
                row.getString("id"),
                JobKind.valueOf(row.getString("kind")),
                row.getString("name"),
                row.getString("tenant"),
                row.getString("owner"),
                row.getString("state"),
                row.getBoolean("held"),
                Rows.instant(row, "retry_at"),
                Objects.requireNonNull(Rows.instant(row, "waiting_since")),
                Math.max(0, row.getDouble("waiting_seconds")),
                Objects.requireNonNullElse(row.getString("awaited"), ""));
    }
}
