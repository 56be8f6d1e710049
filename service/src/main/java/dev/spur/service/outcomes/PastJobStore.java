package dev.spur.service.outcomes;

import dev.spur.model.history.PastJob;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.JobSpec;
import dev.spur.model.json.RoundJson;
import dev.spur.prediction.job.PredictedProfile;
import dev.spur.prediction.stall.LearnedStalls;
import dev.spur.service.database.Rows;
import dev.spur.service.jobs.EffectiveSpec;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Training jobs of past time ranges. */
@Repository
class PastJobStore {
    private final JdbcClient jdbc;

    PastJobStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns the ids of the first {@code limit} jobs that were active in the range, by submission. */
    List<String> ids(TimeRange range, int limit) {
        return jdbc.sql("""
                        select id from job where kind = 'TRAINING' and submitted_at < :until
                            and (ended_at is null or ended_at > :since)
                        order by seq limit :limit
                        """)
                .param("since", Rows.utc(range.since()))
                .param("until", Rows.utc(range.until()))
                .param("limit", limit)
                .query(String.class)
                .list();
    }

    /**
     * Returns those of {@code ids} that still exist, by submission. The work before the range is in proportion to the
     * slot-seconds held.
     */
    List<PastJob> jobs(TimeRange range, List<String> ids) {
        return jdbc.sql("""
                        with listed as (
                            select id, tenant, submitted_at, ended_at, state, done_work, deadline, spec, seq,
                                case when ended_at is null then greatest(coalesce(expected_samples, total_work), done_work)
                                    else done_work end as work
                            from job where id = any(:ids))
                        select id, tenant, submitted_at, state, deadline, spec::text as spec,
                            l.predicted_profile::text as predicted, l.noise_scale,
                            s.learned_stalls::text as stalls, f.stalls::text as family_stalls,
                            case when state = 'DONE' then extract(epoch from ended_at - submitted_at)::double precision end as jct,
                            work - done_work * coalesce(service.before / nullif(service.whole, 0), 0) as work
                        from listed left join job_learning l on l.job_id = id left join job_stall s on s.job_id = id
                            left join model_family f on f.name = spec ->> 'family', lateral (
                            select sum(slots * extract(epoch from ended - a.started_at)::double precision) as whole,
                                sum(slots * greatest(0, extract(epoch from least(ended, :since) - a.started_at)::double precision)) as before
                            from job_allocation a, lateral (select coalesce(a.ended_at, now()) as ended, (
                                select sum(piece.slots) from placement(a.allocation) piece) as slots) held
                            where a.job_id = id and a.allocation is not null and submitted_at < :since) service
                        order by seq
                        """)
                .param("since", Rows.utc(range.since()))
                .param("ids", ids.toArray(String[]::new))
                .query((row, index) -> read(row))
                .list();
    }

    private static PastJob read(ResultSet row) throws SQLException {
        JobSpec stated = RoundJson.mapper().readValue(row.getString("spec"), JobSpec.class);
        String predicted = row.getString("predicted");
        EffectiveSpec spec = new EffectiveSpec(
                LearnedStalls.read(row.getString("stalls"))
                        .effective(stated, LearnedStalls.read(row.getString("family_stalls"))),
                predicted == null ? null : RoundJson.mapper().readValue(predicted, PredictedProfile.class),
                row.getObject("noise_scale", Double.class));
        return new PastJob(
                row.getString("id"),
                row.getString("tenant"),
                Objects.requireNonNull(Rows.instant(row, "submitted_at")),
                row.getString("state"),
                row.getObject("jct", Double.class),
                row.getDouble("work"),
                Rows.instant(row, "deadline"),
                stated,
                unlessEqual(stated, spec.of(DeadlineStatus.NONE)),
                unlessEqual(stated, spec.of(DeadlineStatus.PENDING))); // medians of the predictions
    }

    private static @Nullable JobSpec unlessEqual(JobSpec stated, JobSpec spec) {
        return spec.equals(stated) ? null : spec;
    }
}
