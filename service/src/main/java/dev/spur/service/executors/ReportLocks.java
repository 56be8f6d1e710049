package dev.spur.service.executors;

import dev.spur.service.cluster.DeviceHealthStore;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.StatementBatch;
import dev.spur.service.jobs.AssignmentKey;
import dev.spur.service.jobs.AssignmentState;
import dev.spur.service.jobs.AssignmentStore;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.jobs.StoredAssignment;
import dev.spur.service.jobs.StoredJob;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * Locks the rows that a report of an executor changes. Every method must run in a transaction, and its rows stay locked
 * until the transaction ends.
 */
@Repository
@Transactional(propagation = Propagation.MANDATORY)
class ReportLocks {
    private final NamedParameterJdbcOperations jdbc;

    ReportLocks(NamedParameterJdbcOperations jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Rows of a transition of an assignment.
     *
     * @param executor executor that reports it, locked first
     * @param job job of the assignment, locked second
     * @param assignment assignment of the transition, locked last
     * @param readiness start conditions of the assignment at that moment, if the transition leads to a start
     */
    public record TransitionRows(
            Optional<StoredExecutor> executor,
            Optional<StoredJob> job,
            Optional<StoredAssignment> assignment,
            GangStore.StartReadiness readiness) {}

    /** Locks the rows of a transition of an assignment to {@code next}. */
    public TransitionRows ofStep(AssignmentKey key, AssignmentState next) {
        StatementBatch batch = new StatementBatch(jdbc)
                .with("node", key.node())
                .with("job", key.jobId())
                .with("generation", key.generation());
        var executor = batch.query(ExecutorStore.LOCK, RecordMapper.of(StoredExecutor.class));
        var job = batch.query(JobStore.LOCK, RecordMapper.of(StoredJob.class));
        var assignment = batch.query(AssignmentStore.LOCK, RecordMapper.of(StoredAssignment.class));
        boolean starts = next == AssignmentState.ACCEPTED || next == AssignmentState.STARTING;
        var readiness =
                starts ? batch.query(GangStore.READINESS, RecordMapper.of(GangStore.StartReadiness.class)) : null;
        batch.execute();
        return new TransitionRows(
                executor.first(),
                job.first(),
                assignment.first(),
                readiness == null
                        ? GangStore.StartReadiness.UNREAD
                        : readiness.first().orElseThrow());
    }

    /**
     * Rows of a heartbeat.
     *
     * @param executor executor that sends it, locked first
     * @param live assignments of its node that have not ended, by job
     * @param hadFailures true if a device of its node was unhealthy recently
     */
    public record HeartbeatRows(Optional<StoredExecutor> executor, List<StoredAssignment> live, boolean hadFailures) {
        public HeartbeatRows {
            live = List.copyOf(live);
        }
    }

    /** Locks the rows of a heartbeat of an executor. */
    public HeartbeatRows ofHeartbeat(String id) {
        StatementBatch batch = new StatementBatch(jdbc).with("node", id);
        var executor = batch.query(ExecutorStore.LOCK, RecordMapper.of(StoredExecutor.class));
        var live = batch.query(AssignmentStore.LOCK_LIVE, RecordMapper.of(StoredAssignment.class));
        var failures = batch.query(DeviceHealthStore.HAS_FAILURES, (row, index) -> row.getBoolean("has_failures"));
        batch.execute();
        return new HeartbeatRows(executor.first(), live.rows(), failures.first().orElseThrow());
    }
}
