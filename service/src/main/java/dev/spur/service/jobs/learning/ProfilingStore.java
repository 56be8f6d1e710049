package dev.spur.service.jobs.learning;

import dev.spur.model.job.ProfilingTarget;
import dev.spur.model.json.RoundJson;
import dev.spur.service.database.RecordMapper;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Profiling state of jobs whose owners allow profiling. The caller of a write must hold the lock on the job. */
@Repository
public class ProfilingStore {
    /** Days for which the profiling state is kept after the end of a job. */
    private final JdbcClient jdbc;

    ProfilingStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Allows profiling of a job with a budget of {@code slotSeconds}. */
    public void allow(String job, double slotSeconds) {
        jdbc.sql("insert into job_profiling (job_id, budget) values (?, ?)")
                .params(job, slotSeconds)
                .update();
    }

    /** Allows profiling of the other jobs of an array with the budget of one of them, if that allows it. */
    public void copy(String job, String array) {
        jdbc.sql("""
                        insert into job_profiling (job_id, budget)
                        select j.id, p.budget from job_profiling p, job j where p.job_id = :job and j.array_id = :array and j.id <> :job
                        """).param("job", job).param("array", array).update();
    }

    /** Returns the profiling state of a job; empty if its owner does not allow profiling. */
    public Optional<JobProfiling> find(String job) {
        return jdbc.sql("""
                        select budget, spent, profiling_target, cost, requested_at, completed_runs as over, done
                        from job_profiling where job_id = ?
                        """)
                .param(job)
                .query(RecordMapper.of(JobProfiling.class))
                .optional();
    }

    /**
     * Returns the active jobs with unfinished profiling. Jobs without a requested run come first, then those with the
     * oldest request.
     */
    public List<String> open(int limit) {
        return jdbc.sql("""
                        select job_id from job_profiling join job on id = job_id
                        where not done and not held and is_active(state) and state <> 'COMPLETING'
                        order by requested_at nulls first, seq limit ?
                        """).param(limit).query(String.class).list();
    }

    /** Requests a profiling run of a job, unless one is requested already. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void requestRun(String job, ProfilingTarget profilingTarget, double cost) {
        jdbc.sql("""
                        update job_profiling set profiling_target = cast(? as jsonb), cost = ?, requested_at = clock_timestamp(), counted_at = null
                        where job_id = ? and profiling_target is null
                        """)
                .params(RoundJson.mapper().writeValueAsString(profilingTarget), cost, job)
                .update();
    }

    /** Adds the slot-seconds since the last count to the budget use of a job that runs in its profiling target. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void count(String job, int slots) {
        jdbc.sql("""
                        update job_profiling set counted_at = clock_timestamp(), spent = spent + ? * greatest(0, extract(
                            epoch from clock_timestamp() - greatest(counted_at, allocated_since, requested_at)))
                        from job where id = job_id and job_id = ?
                        """).params(slots, job).update();
    }

    /** Ends the requested run of a job. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void close(String job, JobProfiling before, JobProfiling.End end) {
        ProfilingTarget ended = before.profilingTarget();
        if (ended != null) {
            jdbc.sql(
                            "update job_profiling set profiling_target = null, requested_at = null, completed_runs = cast(? as jsonb) where job_id = ?")
                    .params(RoundJson.mapper().writeValueAsString(before.overWith(ended, end)), job)
                    .update();
        }
    }

    /** Ends the profiling of a job, since no further run is worth its cost. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void finish(String job) {
        jdbc.sql("update job_profiling set done = true where job_id = ? and profiling_target is null")
                .param(job)
                .update();
    }
}
