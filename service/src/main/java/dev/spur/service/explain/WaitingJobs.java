package dev.spur.service.explain;

import dev.spur.service.database.RecordMapper;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Jobs as entries of the queue. */
@Repository
class WaitingJobs {
    private static final String COLUMNS = """
            select id, kind, name, tenant, owner, state, held, waiting_since,
                   case when retry_at > now() then retry_at end as retry_at,
                   greatest(0, extract(epoch from now() - waiting_since)::double precision) as waiting_seconds,
                   coalesce((select string_agg(format('%s (%s)', p.name, lower(p.state)), ', ' order by p.seq)
                        from job p where p.id = any(job.depends_on)), '') as awaited from job
            """;

    private final JdbcClient jdbc;

    WaitingJobs(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns the waiting jobs, in order of submission. */
    public List<WaitingJob> all() {
        return jdbc.sql(COLUMNS + " where state in ('SUBMITTED', 'WAITING') order by seq")
                .query(RecordMapper.of(WaitingJob.class))
                .list();
    }

    /** Returns a job, whether it waits or not. */
    public Optional<WaitingJob> find(String id) {
        return jdbc.sql(COLUMNS + " where id = ?")
                .param(id)
                .query(RecordMapper.of(WaitingJob.class))
                .optional();
    }
}
