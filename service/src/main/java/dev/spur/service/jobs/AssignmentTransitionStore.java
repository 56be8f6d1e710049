package dev.spur.service.jobs;

import dev.spur.service.database.RecordMapper;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * State changes of assignments, and what they record of the job. Every method must run in the transaction that has
 * locked the row and the job.
 */
@Repository
@Transactional(propagation = Propagation.MANDATORY)
public class AssignmentTransitionStore {
    private static final String STEP = """
            update assignment set state = :state, seq = :seq, pid = coalesce(:pid, pid), exit_code = :exit_code,
                requested = :requested, detail = :detail, changed_at = clock_timestamp()
            where job_id = :job and generation = :generation and node = :node
            """;
    private static final String STARTED =
            "update job set started_generation = greatest(started_generation, :generation) where id = :job";

    /** Records that the job runs, if all members of the gang do. It runs during a change of its ranks already. */
    private static final String RUNS = """
            with running as (
                update job set observed_state = 'RUNNING', observed_detail = null, observed_at = now(), version = version + 1
                where id = :job and generation = :generation and not exists (
                    select from assignment m
                    where m.job_id = :job and m.generation = :generation and (m.state <> 'RUNNING' or m.next_devices is not null))
                returning id, generation)
            insert into job_event (job_id, kind, detail)
            select id, 'RUNNING', jsonb_build_object('generation', generation) from running
            """;

    private final JdbcClient jdbc;

    AssignmentTransitionStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Transition that an executor reports.
     *
     * @param pid first process; null if it has not changed
     * @param exitCode exit code of the processes; null if none has ended
     */
    public record Step(
            AssignmentState state,
            long seq,
            @Nullable Long pid,
            @Nullable Long exitCode,
            boolean requested,
            @Nullable String detail) {}

    /**
     * Stores a transition. For a start, also records the newest started generation of the job; for the last member that
     * runs, that the job runs.
     */
    public void step(AssignmentKey key, Step step) {
        String ofJob = switch (step.state()) {
            case STARTING -> ";" + STARTED;
            case RUNNING -> ";" + RUNS;
            default -> "";
        };
        of(key, STEP + ofJob)
                .params(RecordMapper.parameters(
                        step, List.of("state", "seq", "pid", "exit_code", "requested", "detail")))
                .update();
    }

    /** Completes the change of the ranks of a running assignment: it holds the devices of the new ranks only. */
    public void completeRescale(AssignmentKey key, long seq) {
        of(key, """
                        update assignment set seq = :seq, devices = coalesce(next_devices, devices), next_devices = null
                        where job_id = :job and generation = :generation and node = :node
                        """).param("seq", seq).update();
    }

    /** Stores that the processes of an assignment are ready to start, or that they have ended. */
    public void warmedUp(AssignmentKey key, long seq, boolean ready) {
        of(key, """
                        update assignment set seq = :seq, warm_up = :warmUp
                        where job_id = :job and generation = :generation and node = :node
                        """)
                .param("seq", seq)
                .param("warmUp", ready ? "READY" : "FAILED")
                .update();
    }

    /** Changes the state of an assignment without a report. The transition number does not change. */
    public void move(AssignmentKey key, AssignmentState state, @Nullable String detail) {
        of(key, """
                        update assignment set state = :state, detail = :detail, ready_at = null,
                            changed_at = clock_timestamp()
                        where job_id = :job and generation = :generation and node = :node
                        """).param("state", state.name()).param("detail", detail).update();
    }

    /** Stores an assignment that an executor runs against the plan. Its devices are held until it is stopped. */
    public void addOrphan(AssignmentKey key, List<String> devices, @Nullable Long pid) {
        of(key, """
                        insert into assignment (job_id, generation, node, role, devices, aggregation_slots, node_rank,
                            rank_offset, port, state, orphan, pid)
                        values (:job, :generation, :node, 'WORKER', :devices, 0, 0, 0, 0, 'STOPPING', true, :pid)
                        on conflict (job_id, generation, node) do update
                        set state = 'STOPPING', orphan = true, pid = :pid, changed_at = clock_timestamp(),
                            detail = 'its executor still runs it'
                        """)
                .param("devices", devices.toArray(String[]::new))
                .param("pid", pid, java.sql.Types.INTEGER)
                .update();
    }

    /** Records the newest generation of a job whose processes were started. */
    public void recordStart(String jobId, long generation) {
        jdbc.sql(STARTED).param("generation", generation).param("job", jobId).update();
    }

    private JdbcClient.StatementSpec of(AssignmentKey key, String sql) {
        return jdbc.sql(sql)
                .param("job", key.jobId())
                .param("generation", key.generation())
                .param("node", key.node());
    }
}
