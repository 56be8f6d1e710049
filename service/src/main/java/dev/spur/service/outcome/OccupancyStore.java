package dev.spur.service.outcome;

import dev.spur.service.database.Rows;
import dev.spur.service.database.ScopeCondition;
import dev.spur.service.security.AccessScope;
import java.util.ArrayList;
import java.util.List;
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
     * @param acceleratorType type of the slots
     * @param slots number of slots
     * @param begin start of the generation
     * @param usefulFrom time of the first progress; {@code end} if the generation made none, {@code begin} if the job
     *     continued from the last generation or never reported any
     * @param end end of the generation; the end of the range if it is current
     */
    record HeldSlots(String acceleratorType, int slots, double begin, double usefulFrom, double end) {}

    /** Time from the submission of a job to its end, or to the end of the range. */
    record ActiveTime(double begin, double end) {}

    /** Returns the held slots that overlap {@code range}. */
    List<HeldSlots> held(AccessScope reach, TimeRange range) {
        List<Object> parameters = new ArrayList<>(range.parameters());
        String within = ScopeCondition.jobs(reach, "j", parameters);
        return jdbc.sql("""
                        select a.allocation -> 'configuration' ->> 'acceleratorType' as type, a.started_at, a.ended_at,
                            a.first_progress_at, j.report_generation > 0 and a.change <> 'KEEP' as starts,
                            (select sum(jsonb_array_length(piece -> 'devices'))
                             from jsonb_array_elements(a.allocation -> 'placement') piece) as slots
                        from job_allocation a join job j on j.id = a.job_id
                        where a.allocation is not null and a.started_at < ? and (a.ended_at is null or a.ended_at > ?)
                        """ + within)
                .params(parameters)
                .query((row, index) -> {
                    double begin = Rows.secondsOf(row, "started_at");
                    Double ended = Rows.seconds(row, "ended_at");
                    double end = ended == null ? range.untilSeconds() : ended;
                    Double progress = Rows.seconds(row, "first_progress_at");
                    double stalled = progress == null ? end : Math.min(progress, end);
                    return new HeldSlots(
                            row.getString("type"),
                            row.getInt("slots"),
                            begin,
                            row.getBoolean("starts") ? stalled : begin,
                            end);
                })
                .list();
    }

    /** Returns the active times of training jobs that overlap {@code range}. */
    List<ActiveTime> active(AccessScope reach, TimeRange range) {
        List<Object> parameters = new ArrayList<>(range.parameters());
        String within = ScopeCondition.jobs(reach, "j", parameters);
        return jdbc.sql("""
                        select submitted_at, ended_at from job j
                        where kind = 'TRAINING' and submitted_at < ? and (ended_at is null or ended_at > ?)
                        """ + within)
                .params(parameters)
                .query((row, index) -> {
                    Double ended = Rows.seconds(row, "ended_at");
                    return new ActiveTime(
                            Rows.secondsOf(row, "submitted_at"), ended == null ? range.untilSeconds() : ended);
                })
                .list();
    }
}
