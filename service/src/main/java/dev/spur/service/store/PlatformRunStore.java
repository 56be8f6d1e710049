package dev.spur.service.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Runs of jobs on platforms: each time that the platform starts their processes. */
@Repository
public class PlatformRunStore {
    private static final String SELECT = """
            select job_id, run, run_number, coalesce(run_generation, 0) as run_generation, coalesce(run_workers, 0) as run_workers
            from connector_job
            """;

    private final JdbcClient jdbc;

    PlatformRunStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * A run.
     *
     * @param jobId the job
     * @param number which of its runs it is, from 1 on
     * @param generation of the job when the run was first seen
     * @param workers processes that send gradients: one for each slot
     */
    public record Run(String jobId, long number, long generation, int workers) {}

    /**
     * What is known of a job.
     *
     * @param key by which its processes ask
     * @param run what its processes call themselves
     */
    public record KnownRun(@Nullable String key, @Nullable String run) {}

    /** What is known of the jobs of a connector that were taken in, by id on the platform. */
    public Map<String, KnownRun> known(String connector) {
        Map<String, KnownRun> known = new HashMap<>();
        jdbc.sql(
                        "select platform_id, key::text as key, run from connector_job where connector = ? and job_id is not null")
                .param(connector)
                .query(row -> {
                    known.put(row.getString("platform_id"), new KnownRun(row.getString("key"), row.getString("run")));
                });
        return known;
    }

    /** This is what the platform shows now of a job that was taken in. Belongs to one look after the other. */
    public void seen(String connector, String platformId, KnownRun now, int workers) {
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

    /** The runs of now. */
    public List<Run> current() {
        return jdbc.sql(SELECT + " where run is not null and job_id is not null")
                .query((row, index) -> read(row))
                .list();
    }

    /** The run of a job with this key that its processes call so; empty if there is none, or not yet. */
    public Optional<Run> find(String key, String run) {
        return jdbc.sql(SELECT + " where key = cast(? as uuid) and run = ? and job_id is not null")
                .params(key, run)
                .query((row, index) -> read(row))
                .optional();
    }

    private static Run read(ResultSet row) throws SQLException {
        return new Run(
                row.getString("job_id"),
                row.getLong("run_number"),
                row.getLong("run_generation"),
                row.getInt("run_workers"));
    }

    /** True if a job has this key. */
    public boolean isKey(String key) {
        return jdbc.sql("select exists (select from connector_job where key = cast(? as uuid) and job_id is not null)")
                .param(key)
                .query(Boolean.class)
                .single();
    }

    /** How the job of a run sums its gradients by the plan; empty while it has no allocation. */
    public Optional<String> strategy(String job) {
        return jdbc.sql(
                        "select allocation -> 'configuration' ->> 'strategy' from job where id = ? and allocation is not null")
                .param(job)
                .query(String.class)
                .optional();
    }
}
