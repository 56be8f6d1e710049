package dev.spur.service.jobs.lifecycle;

import dev.spur.prediction.online.Drift;
import dev.spur.service.database.RecordMapper;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Execution status of jobs. */
@Repository
class JobExecutionStore {
    private final JdbcClient jdbc;

    JobExecutionStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Execution status of a job.
     *
     * @param id id of the job
     * @param plannedSeconds time since its allocation was planned; null if it has none, or if a platform runs it
     * @param hasCommand true if executors start it
     * @param isReported true if a report has arrived since its allocation was planned
     * @param speedUnknown true if an elastic job is planned by assumed speeds only
     * @param drift last lasting change of its speed; null if there was none
     * @param nodes nodes of its allocation
     * @param nodesWithoutExecutor those of {@code nodes} without a live executor
     * @param total work of a training job that is done and has reported some, samples; null for every other job
     * @param done completed part of its work, samples
     * @param fall last decrease of its progress; null if there was none
     */
    record Execution(
            String id,
            @Nullable Double plannedSeconds,
            boolean hasCommand,
            boolean isReported,
            boolean speedUnknown,
            @Nullable Drift drift,
            List<String> nodes,
            List<String> nodesWithoutExecutor,
            @Nullable Double total,
            double done,
            @Nullable ProgressFall fall) {
        Execution {
            nodes = List.copyOf(nodes);
            nodesWithoutExecutor = List.copyOf(nodesWithoutExecutor);
        }
    }

    /**
     * Decrease of progress: a generation began with fewer samples than an earlier one had saved.
     *
     * @param generation generation that began
     * @param samplesTotal raw samples of its first report
     * @param checkpointGeneration generation that saved the checkpoint
     * @param checkpointSamples raw samples of its newest checkpoint
     */
    record ProgressFall(long generation, double samplesTotal, long checkpointGeneration, double checkpointSamples) {}

    /** Returns the execution status of those of {@code ids} that exist, in any order. */
    List<Execution> of(Collection<String> ids) {
        return jdbc.sql("""
                        select id, case when state = 'RUNNING' and not exists (select from connector_job c where c.job_id = job.id)
                                then extract(epoch from now() - allocated_since)::double precision end as planned_seconds,
                            command is not null as has_command,
                            coalesce(observed_at >= allocated_since, false) as is_reported,
                            (spec #>> '{elasticity,maxSlots}')::bigint > (spec #>> '{elasticity,minSlots}')::bigint
                                and exists (select from job_learning l where l.job_id = job.id
                                    and l.predicted_profile @> '{"predictions": [{"origin": "ASSUMED"}]}') as speed_unknown,
                            (select l.drift::text from job_learning l where l.job_id = job.id) as drift,
                            array(select p ->> 'node' from jsonb_array_elements(pieces) p) as nodes,
                            array(select p ->> 'node' from jsonb_array_elements(pieces) p where not exists (
                                select from executor e where e.id = p ->> 'node' and e.state = 'ALIVE')) as nodes_without_executor,
                            case when state = 'DONE' and kind = 'TRAINING' and raw_samples > 0
                                then coalesce(expected_samples, total_work) end as total,
                            done_work as done,
                            (select detail::text from job_event e where e.job_id = job.id and e.kind = 'PROGRESS_FELL'
                                order by e.id desc limit 1) as fall
                        from job, lateral (select case when resource_grant is null then allocation -> 'placement'
                            else jsonb_build_array(resource_grant) end as pieces) resources
                        where id = any(?)
                        """)
                .param(ids.toArray(String[]::new))
                .query(RecordMapper.of(Execution.class))
                .list();
    }
}
