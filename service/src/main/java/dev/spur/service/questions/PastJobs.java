package dev.spur.service.questions;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.JobSpec;
import dev.spur.model.utility.Goodput;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.Rows;
import dev.spur.simulator.eta.BiasCorrection;
import dev.spur.simulator.eta.ForecastHistory;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Jobs that were submitted or that completed recently, the basis of forecasts of later jobs. */
@Repository
class PastJobs {
    /**
     * Maximum number of jobs for runtime ratios, and of template jobs for arrivals. Parsing their profiles dominates
     * the time of reading.
     */
    private static final int MAX_JOBS = 60;

    private final JdbcClient jdbc;

    PastJobs(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Numbers of submitted jobs.
     *
     * @param byHour number of jobs in each hour of the period, the newest hour first; the oldest hour may be partial
     */
    public record Arrivals(double seconds, List<Integer> byHour) {
        public Arrivals {
            byHour = List.copyOf(byHour);
        }
    }

    /**
     * Counts the jobs submitted in the last {@code seconds}. The period is shorter if the first job of all was
     * submitted later, but at least one hour.
     */
    public Arrivals arrivals(double seconds) {
        double span = jdbc.sql("""
                        select greatest(least(3600, cast(:most as double precision)), least(:most,
                            coalesce(extract(epoch from now() - min(submitted_at)), 0)))::double precision from job where kind = 'TRAINING'
                        """).param("most", seconds).query(Double.class).single();
        Integer[] byHour = new Integer[(int) Math.ceil(span / 3600)];
        Arrays.fill(byHour, 0);
        jdbc.sql("""
                        select greatest(0, floor(extract(epoch from now() - submitted_at) / 3600))::int as hour, count(*)::int as jobs
                        from job where kind = 'TRAINING' and submitted_at > now() - make_interval(secs => ?) group by 1
                        """).param(seconds).query(row -> {
            byHour[Math.min(byHour.length - 1, row.getInt("hour"))] = row.getInt("jobs");
        });
        return new Arrivals(span, List.of(byHour));
    }

    /** Returns the completion times of those of {@code ids} that are done, in seconds since 1970. */
    public Map<String, Double> completionTimes(List<String> ids) {
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

    /** Returns the newest {@code limit} jobs submitted in the last {@code seconds}. */
    public List<ForecastHistory.Arrival> recentArrivals(double seconds, int limit) {
        return jdbc.sql("""
                        select tenant, spec from job
                        where kind = 'TRAINING' and submitted_at > now() - make_interval(secs => ?) order by seq desc limit ?
                        """)
                .params(seconds, limit)
                .query(RecordMapper.of(ForecastHistory.Arrival.class))
                .list();
    }

    /**
     * Period in which a completed job held one allocation.
     *
     * @param totalSamples work of the job in effective samples
     * @param startsAgain true if the period began with a restart
     */
    public record Stay(
            String jobId,
            JobSpec spec,
            double totalSamples,
            Allocation allocation,
            boolean startsAgain,
            double seconds) {}

    /** Returns the periods of the last {@code limit} completed jobs, job by job. */
    public List<Stay> stays(int limit) {
        return jdbc.sql("""
                        with done as (
                            select id, spec, coalesce(expected_samples, total_work) as total_work, ended_at from job
                            where kind = 'TRAINING' and state = 'DONE'
                            order by ended_at desc limit ?)
                        select done.id as job_id, done.spec, done.total_work as total_samples, a.allocation,
                            a.change <> 'KEEP' and not exists (select from job_allocation earlier
                                where earlier.job_id = a.job_id and earlier.generation = a.generation
                                  and earlier.started_at < a.started_at) as starts_again,
                            extract(epoch from coalesce(a.ended_at, done.ended_at) - a.started_at)::double precision
                                as seconds
                        from done join job_allocation a on a.job_id = done.id
                        where a.allocation is not null order by done.id, a.generation, a.started_at
                        """).param(limit).query(RecordMapper.of(Stay.class)).list();
    }

    /**
     * Reads the history.
     *
     * @param drift bias correction from earlier predictions
     */
    public ForecastHistory read(double pastSeconds, BiasCorrection drift) {
        Arrivals arrivals = arrivals(pastSeconds);
        return new ForecastHistory(
                stretches(stays(MAX_JOBS)),
                arrivals.seconds(),
                arrivals.byHour(),
                recentArrivals(arrivals.seconds(), MAX_JOBS),
                drift);
    }

    /** Work that each job would have done at its stated speed in its actual runtime, divided by its stated work. */
    static List<Double> stretches(List<Stay> stays) {
        Map<String, Double> stretches = new LinkedHashMap<>();
        for (Stay stay : stays) {
            double starting = stay.startsAgain() ? stay.spec().restartPenaltySeconds() : 0;
            double samples = Math.max(0, stay.seconds() - starting)
                    * Goodput.of(stay.spec(), stay.allocation().configuration());
            stretches.merge(stay.jobId(), samples / stay.totalSamples(), Double::sum);
        }
        return stretches.values().stream().filter(stretch -> stretch > 0).toList();
    }
}
