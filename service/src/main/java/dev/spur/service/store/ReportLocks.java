package dev.spur.service.store;

import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.stereotype.Repository;

/**
 * What reports of executors are about. Each method belongs into a transaction, until the end of which what it has read
 * stays as it is.
 */
@Repository
public class ReportLocks {
    private final NamedParameterJdbcOperations jdbc;

    ReportLocks(NamedParameterJdbcOperations jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * What a step of an assignment is about.
     *
     * @param executor who takes it, locked first
     * @param job whose it is, locked next
     * @param assignment what it is a step of, locked after these
     * @param way what it may have to wait for, as of then
     */
    public record TransitionRows(
            Optional<StoredExecutor> executor,
            Optional<StoredJob> job,
            Optional<StoredAssignment> assignment,
            GangStore.StartReadiness way) {}

    /** Locks what a step of an assignment is about. */
    public TransitionRows ofStep(AssignmentKey key) {
        StatementBatch journey = new StatementBatch(jdbc)
                .with("node", key.node())
                .with("job", key.jobId())
                .with("generation", key.generation());
        var executor = journey.ask(ExecutorStore.LOCK, ExecutorStore::read);
        var job = journey.ask(JobStore.LOCK, JobStore::whole);
        var assignment = journey.ask(AssignmentStore.LOCK, AssignmentStore::read);
        var way = journey.ask(GangStore.WAY, GangStore::way);
        journey.go();
        return new TransitionRows(
                executor.first(), job.first(), assignment.first(), way.first().orElseThrow());
    }

    /**
     * What a heartbeat is about.
     *
     * @param executor whose it is, locked first
     * @param live assignments of its node that have not ended, by job
     */
    public record HeartbeatRows(Optional<StoredExecutor> executor, List<StoredAssignment> live) {
        public HeartbeatRows {
            live = List.copyOf(live);
        }
    }

    /** Locks what a heartbeat of an executor is about. */
    public HeartbeatRows ofHeartbeat(String id) {
        StatementBatch journey = new StatementBatch(jdbc).with("node", id);
        var executor = journey.ask(ExecutorStore.LOCK, ExecutorStore::read);
        var live = journey.ask(AssignmentStore.LOCK_LIVE, AssignmentStore::read);
        journey.go();
        return new HeartbeatRows(executor.first(), live.rows());
    }
}
