package dev.spur.service.simulation;

import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.JobSpec;
import dev.spur.model.json.RoundJson;
import dev.spur.prediction.job.PredictedProfile;
import dev.spur.prediction.stall.LearnedStalls;
import dev.spur.service.database.Rows;
import dev.spur.service.job.EffectiveSpec;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Training jobs of a past time range, as a self-audit replays them. */
@Repository
class SelfAuditHistory {
    private final JdbcClient jdbc;

    SelfAuditHistory(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Job that was active in the range.
     *
     * @param submittedAt submission time, seconds since 1970
     * @param state current state
     * @param jctSeconds observed completion time; null unless the job is done
     * @param work work in the range, useful samples: what the job did in all if it has ended, its total otherwise,
     *     without what it did before the range
     * @param deadline deadline, seconds since 1970; null for none
     * @param stated specification as submitted
     * @param assumed specification as rounds planned with it at the end
     * @param measured specification with the speeds known at the end
     */
    record PastJob(
            String id,
            String tenant,
            double submittedAt,
            String state,
            @Nullable Double jctSeconds,
            double work,
            @Nullable Double deadline,
            JobSpec stated,
            JobSpec assumed,
            JobSpec measured) {
        /** Returns true if the job ended without completing its work. */
        boolean isAborted() {
            return state.equals("FAILED") || state.equals("CANCELLED");
        }
    }

    /**
     * Returns the jobs that were active from {@code since} to {@code until}, by submission. The work before the range
     * is in proportion to the slot-seconds held.
     */
    List<PastJob> jobs(Instant since, Instant until) {
        return jdbc.sql("""
                        with active as (
                            select id, tenant, submitted_at, ended_at, state, done_work, deadline, spec, seq,
                                case when ended_at is null then greatest(coalesce(expected_samples, total_work), done_work)
                                    else done_work end as work
                            from job where kind = 'TRAINING' and submitted_at < :until
                                and (ended_at is null or ended_at > :since))
                        select id, tenant, submitted_at, state, deadline, spec::text as spec,
                            l.predicted_profile::text as predicted, l.noise_scale,
                            s.learned_stalls::text as stalls, f.stalls::text as family_stalls,
                            case when state = 'DONE' then extract(epoch from ended_at - submitted_at)::double precision end as jct,
                            work - done_work * coalesce(service.before / nullif(service.whole, 0), 0) as work
                        from active left join job_learning l on l.job_id = id left join job_stall s on s.job_id = id
                            left join model_family f on f.name = spec ->> 'family', lateral (
                            select sum(slots * extract(epoch from ended - a.started_at)::double precision) as whole,
                                sum(slots * greatest(0, extract(epoch from least(ended, :since) - a.started_at)::double precision)) as before
                            from job_allocation a, lateral (select coalesce(a.ended_at, now()) as ended, (
                                select sum(jsonb_array_length(piece -> 'devices'))
                                from jsonb_array_elements(a.allocation -> 'placement') piece) as slots) held
                            where a.job_id = id and a.allocation is not null and submitted_at < :since) service
                        order by seq
                        """)
                .param("since", since.atOffset(ZoneOffset.UTC))
                .param("until", until.atOffset(ZoneOffset.UTC))
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
                Rows.secondsOf(row, "submitted_at"),
                row.getString("state"),
                row.getObject("jct", Double.class),
                row.getDouble("work"),
                Rows.seconds(row, "deadline"),
                stated,
                spec.of(DeadlineStatus.NONE),
                spec.of(DeadlineStatus.PENDING)); // medians of the predictions
    }
}
