package dev.spur.service.connectors;

import dev.spur.service.database.RecordMapper;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Runs of jobs on platforms. Each start of the processes of a job is a run. */
@Repository
class PlatformRunStore {
    private static final String SELECT = """
            select job_id, run_number as number, coalesce(run_generation, 0) as generation, coalesce(run_workers, 0) as workers
            from connector_job
            """;

    private final JdbcClient jdbc;

    PlatformRunStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Run of a job.
     *
     * @param number number of the run within the job, from 1 on
     * @param generation generation of the job when the run was first observed
     * @param workers processes that send gradients: one for each slot
     */
    public record Run(String jobId, long number, long generation, int workers) {}

    /**
     * Key and current run of a job.
     *
     * @param key key that its processes send with requests
     * @param run run name that its processes use
     */
    public record KnownRun(@Nullable String key, @Nullable String run) {}

    /** Returns the keys and runs of the imported jobs of a connector, by id on the platform. */
    public Map<String, KnownRun> runs(String connector) {
        Map<String, KnownRun> known = new HashMap<>();
        jdbc.sql(
                        "select platform_id, key::text as key, run from connector_job where connector = ? and job_id is not null")
                .param(connector)
                .query(row -> {
                    known.put(row.getString("platform_id"), new KnownRun(row.getString("key"), row.getString("run")));
                });
        return known;
    }

    /** Records the observed run of an imported job. Calls for the same job must not overlap. */
    public void recordRun(String connector, String platformId, KnownRun now, int workers) {
        jdbc.sql("""
                        update connector_job c
                        set key = said.key, run = said.run,
                            run_number = c.run_number + case when said.run is null or not said.other then 0 else 1 end,
                            run_generation = case when said.other
                                then (select generation from job where id = c.job_id) else c.run_generation end,
                            run_workers = case when said.other then :workers else c.run_workers end
                        from (select k.platform_id, cast(:key as uuid) as key, cast(:run as text) as run,
                                     k.run is distinct from cast(:run as text) as other
                              from connector_job k where k.connector = :connector and k.platform_id = :platform) said
                        where c.connector = :connector and c.platform_id = said.platform_id and c.job_id is not null
                          and (said.other or c.key is distinct from said.key)
                        """)
                .param("key", now.key())
                .param("run", now.run())
                .param("workers", workers)
                .param("connector", connector)
                .param("platform", platformId)
                .update();
    }

    /** Returns the current runs. */
    public List<Run> current() {
        return jdbc.sql(SELECT + " where run is not null and job_id is not null")
                .query(RecordMapper.of(Run.class))
                .list();
    }

    /** Returns the run of the job with this key that its processes name {@code run}; empty if it is unknown. */
    public Optional<Run> find(String key, String run) {
        return jdbc.sql(SELECT + " where key = cast(? as uuid) and run = ? and job_id is not null")
                .params(key, run)
                .query(RecordMapper.of(Run.class))
                .optional();
    }

    /** Returns true if a job has this key. */
    public boolean isKey(String key) {
        return jdbc.sql("select exists (select from connector_job where key = cast(? as uuid) and job_id is not null)")
                .param(key)
                .query(Boolean.class)
                .single();
    }

    /** Returns the aggregation strategy of a job in the plan; empty while the job has no allocation. */
    public Optional<String> strategy(String job) {
        return jdbc.sql(
                        "select allocation -> 'configuration' ->> 'strategy' from job where id = ? and allocation is not null")
                .param(job)
                .query(String.class)
                .optional();
    }
}
