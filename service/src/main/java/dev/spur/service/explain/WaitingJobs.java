package dev.spur.service.explain;

import dev.spur.service.database.Rows;
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
            select id, name, tenant, owner, state, held, waiting_since,
                   coalesce(extract(epoch from retry_at - now()), 0)::double precision as pause_seconds,
                   extract(epoch from now() - waiting_since)::double precision as waiting_seconds,
                   (select string_agg(format('%s (%s)', p.name, lower(p.state)), ', ' order by p.seq)
                        from preparation p where p.id = any(job.depends_on)) as awaited from job
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
                row.getString("name"),
                row.getString("tenant"),
                row.getString("owner"),
                row.getString("state"),
                row.getBoolean("held"),
                Math.max(0, row.getDouble("pause_seconds")),
                Objects.requireNonNull(Rows.instant(row, "waiting_since")),
                Math.max(0, row.getDouble("waiting_seconds")),
                Objects.requireNonNullElse(row.getString("awaited"), ""));
    }
}
