package dev.spur.service.store;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.JobSpec;
import dev.spur.model.json.RoundJson;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Jobs that came or ended lately: what is to be expected of others is learnt from them. */
@Repository
public class PastJobs {
    private final JdbcClient jdbc;

    PastJobs(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * How many jobs came.
     *
     * @param seconds length of the time in which they were counted
     * @param byHour how many came in each hour of it, the newest hour first; the oldest hour may be cut
     */
    public record Arrivals(double seconds, List<Integer> byHour) {
        public Arrivals {
            byHour = List.copyOf(byHour);
        }
    }

    /** Jobs of the last {@code seconds}; less far back if the first job of all came later, but an hour at least. */
    public Arrivals arrivals(double seconds) {
        double span = jdbc.sql("""
                        select greatest(least(3600, cast(:most as double precision)), least(:most,
                            coalesce(extract(epoch from now() - min(submitted_at)), 0)))::double precision from job
                        """).param("most", seconds).query(Double.class).single();
        Integer[] byHour = new Integer[(int) Math.ceil(span / 3600)];
        Arrays.fill(byHour, 0);
        jdbc.sql("""
                        select greatest(0, floor(extract(epoch from now() - submitted_at) / 3600))::int as hour, count(*)::int as jobs
                        from job where submitted_at > now() - make_interval(secs => ?) group by 1
                        """).param(seconds).query(row -> {
            byHour[Math.min(byHour.length - 1, row.getInt("hour"))] = row.getInt("jobs");
        });
        return new Arrivals(span, List.of(byHour));
    }

    /** Of the jobs {@code ids}, those that are done, and when they were, seconds since 1970. */
    public Map<String, Double> ended(List<String> ids) {
        Map<String, Double> ended = new HashMap<>();
        if (!ids.isEmpty()) {
            jdbc.sql("select id, ended_at from job where id = any(?) and state = 'DONE' and ended_at is not null")
                    .param(ids.toArray(String[]::new))
                    .query(row -> {
                        ended.put(row.getString("id"), Rows.secondsOf(row, "ended_at"));
                    });
        }
        return ended;
    }

    /**
     * A job as it came.
     *
     * @param tenant its tenant
     * @param spec what it asks for
     */
    public record Arrival(String tenant, JobSpec spec) {}

    /** The newest {@code limit} jobs of the last {@code seconds}. */
    public List<Arrival> comers(double seconds, int limit) {
        return jdbc.sql("""
                        select tenant, spec::text as spec from job
                        where submitted_at > now() - make_interval(secs => ?) order by seq desc limit ?
                        """)
                .params(seconds, limit)
                .query((row, index) -> new Arrival(row.getString("tenant"), spec(row.getString("spec"))))
                .list();
    }

    /**
     * A time in which a job that is done held an allocation.
     *
     * @param jobId the job
     * @param spec what it asked for
     * @param totalSamples its work, effective samples
     * @param allocation what it held
     * @param startsAgain true if a restart came first
     * @param seconds for how long
     */
    public record Stay(
            String jobId,
            JobSpec spec,
            double totalSamples,
            Allocation allocation,
            boolean startsAgain,
            double seconds) {}

    /** The stays of the last {@code limit} jobs that were done, job by job. */
    public List<Stay> stays(int limit) {
        return jdbc.sql("""
                        with done as (
                            select id, spec, coalesce(expected_samples, total_samples) as total_samples, ended_at from job where state = 'DONE'
                            order by ended_at desc limit ?)
                        select done.id, done.spec::text as spec, done.total_samples, a.allocation::text as allocation,
                            a.change <> 'KEEP' as starts_again,
                            extract(epoch from coalesce(a.ended_at, done.ended_at) - a.started_at)::double precision
                                as seconds
                        from done join job_allocation a on a.job_id = done.id
                        where a.allocation is not null order by done.id, a.generation
                        """)
                .param(limit)
                .query((row, index) -> new Stay(
                        row.getString("id"),
                        spec(row.getString("spec")),
                        row.getDouble("total_samples"),
                        RoundJson.mapper().readValue(row.getString("allocation"), Allocation.class),
                        row.getBoolean("starts_again"),
                        row.getDouble("seconds")))
                .list();
    }

    private static JobSpec spec(String json) {
        return RoundJson.mapper().readValue(json, JobSpec.class);
    }
}
