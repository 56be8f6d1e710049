package dev.spur.service.connectors;

import dev.spur.connectors.HostResources;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.reconcile.DesiredState;
import dev.spur.connectors.reconcile.DesiredState.DesiredJob;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.HostGrant;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.HostDemand;
import dev.spur.model.performance.HostSensitivity;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.jobs.JobState;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Desired state of the platform of a connector. Like the desired state of executors, it is derived from the jobs alone.
 */
@Repository
class ConnectorDesiredStateStore {
    private final JdbcClient jdbc;

    ConnectorDesiredStateStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Returns the desired state of the imported jobs of a connector. Jobs with slots in the plan come first, then
     * waiting jobs by submission. Jobs under manual control are excluded. After manual control ends, a job stays
     * excluded until a later round has ended. The current plan was made without the job and would stop it. The revision
     * is read first, so the desired state is at least as new.
     */
    public DesiredState read(String connector) {
        long revision = jdbc.sql("select coalesce(max(revision), 0) from plan")
                .query(Long.class)
                .single();
        Map<String, DesiredJob> wants = new LinkedHashMap<>();
        jdbc.sql("""
                        select c.platform_id, j.state, j.held, j.allocation, j.spec -> 'host' as host,
                            j.spec -> 'hostSensitivity' as host_sensitivity
                        from connector_job c join job j on j.id = c.job_id
                        where c.connector = ? and not c.manually_overridden
                          and (c.override_ended_round is null or j.state = 'CANCELLED' or exists (
                              select from round r
                              where r.number > c.override_ended_round and r.status in ('PUBLISHED', 'UNCHANGED')))
                          and (is_active(j.state) or j.state = 'CANCELLED')
                        order by j.allocation is null, j.seq
                        """)
                .param(connector)
                .query(RecordMapper.of(ImportedJob.class))
                .list()
                .forEach(job -> wants.put(job.platformId(), toDesiredJob(job)));
        return new DesiredState(revision, wants, blockedJobs(connector));
    }

    /** Returns the jobs that sum their gradients on aggregators of which some are missing. */
    private Set<String> blockedJobs(String connector) {
        return Set.copyOf(
                jdbc.sql("""
                        select distinct c.platform_id
                        from aggregator a, jsonb_array_elements(a.shards) portion
                        join connector_job c on c.job_id = portion ->> 'jobId'
                        where c.connector = :connector and not exists (
                            select from platform_aggregator p
                            where p.connector = :connector and p.node = a.node and p.number = a.number and p.port = a.port
                              and not p.closing and p.host is not null and p.last_request_at is not null)
                        """).param("connector", connector).query(String.class).list());
    }

    private record ImportedJob(
            String platformId,
            JobState state,
            boolean held,
            @Nullable Allocation allocation,
            @Nullable HostDemand host,
            @Nullable HostSensitivity hostSensitivity) {
        /** Returns what the plan grants each slot of a job with levels; null for any other job. */
        private @Nullable HostResources hostIn(Configuration configuration) {
            HostGrant grant = configuration.host();
            if (hostSensitivity == null || host == null) {
                return null;
            }
            return grant == null
                    ? HostResources.of(host.cpusPerSlot(), host.memoryGiBPerSlot())
                    : HostResources.of(grant.cpusPerSlot(), grant.memoryGiBPerSlot());
        }
    }

    private static DesiredJob toDesiredJob(ImportedJob job) {
        if (job.state() == JobState.CANCELLED) {
            return new DesiredJob.End();
        }
        Allocation allocation = job.allocation();
        if (allocation == null || job.held()) {
            return new DesiredJob.Wait();
        }
        return new DesiredJob.Run(JobPlacement.of(
                        allocation.placement().stream().collect(Collectors.toMap(NodeShare::node, NodeShare::slots)))
                .withBatch(allocation.configuration().batchSize())
                .withHost(job.hostIn(allocation.configuration())));
    }
}
