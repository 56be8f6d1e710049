package dev.spur.service.outcomes;

import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.ScopeCondition;
import dev.spur.service.security.AccessScope;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Times in which training jobs were active, and in which they held slots. Times are in seconds since 1970. */
@Repository
class OccupancyStore {
    private final JdbcClient jdbc;

    OccupancyStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Time in which a job held slots in one generation.
     *
     * @param slots slots that it held; a share of a device is that part of a slot
     * @param usefulFrom time of the first progress; {@code end} if the generation made none, {@code begin} if the job
     *     continued from the last generation or never reported any
     * @param end end of the generation; the end of the range if it is current
     */
    record HeldSlots(String acceleratorType, double slots, double begin, double usefulFrom, double end) {}

    /** Time from the submission of a job to its end, or to the end of the range. */
    record ActiveTime(double begin, double end) {}

    /**
     * Returns the first time that the database knows, in milliseconds: that of the oldest round, job or record of
     * capacity; empty for an empty database.
     */
    Optional<Instant> begin() {
        return jdbc.sql("""
                        select date_trunc('milliseconds', least((select min(at) from slot_capacity),
                            (select coalesce(started_at, requested_at) from round order by number limit 1),
                            (select submitted_at from job order by seq limit 1))) as begin
                        """).query(OffsetDateTime.class).optional().map(OffsetDateTime::toInstant);
    }

    /** Returns the held slots that overlap {@code range}. */
    List<HeldSlots> heldSlots(AccessScope reach, TimeRange range) {
        return read(HeldSlots.class, reach, range, """
                        select a.allocation -> 'configuration' ->> 'acceleratorType' as accelerator_type, a.started_at as begin,
                            coalesce(a.ended_at, until) as end,
                            case when j.report_generation > 0 and a.change <> 'KEEP'
                                then least(a.first_progress_at, coalesce(a.ended_at, until)) else a.started_at end as useful_from,
                            slots_held(a.allocation, j.device_share) as slots
                        from bounds, job_allocation a join job j on j.id = a.job_id
                        where a.allocation is not null and a.started_at < until and (a.ended_at is null or a.ended_at > since)
                        """);
    }

    /** Returns the active times of training jobs that overlap {@code range}. */
    List<ActiveTime> active(AccessScope reach, TimeRange range) {
        return read(ActiveTime.class, reach, range, """
                        select submitted_at as begin, coalesce(ended_at, until) as end from bounds, job j
                        where kind = 'TRAINING' and submitted_at < until and (ended_at is null or ended_at > since)
                        """);
    }

    private <R extends Record> List<R> read(Class<R> type, AccessScope reach, TimeRange range, String sql) {
        List<Object> parameters = new ArrayList<>(range.parameters());
        String within = ScopeCondition.jobs(reach, "j", parameters);
        return jdbc.sql("with bounds as (select cast(? as timestamptz) as since, cast(? as timestamptz) as until) "
                        + sql
                        + within)
                .params(parameters)
                .query(RecordMapper.of(type))
                .list();
    }
}
