package dev.spur.service.executor;

import dev.spur.service.contract.FieldError;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.store.AssignmentChanges;
import dev.spur.service.store.AssignmentKey;
import dev.spur.service.store.AssignmentState;
import dev.spur.service.store.AssignmentStore;
import dev.spur.service.store.GangStore;
import dev.spur.service.store.JobChanges;
import dev.spur.service.store.ReportLocks;
import dev.spur.service.store.StoredAssignment;
import dev.spur.service.store.StoredExecutor;
import dev.spur.service.store.StoredJob;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Takes the steps of assignments. No process is started before its STARTING was answered, and that is answered only
 * while the assignment is wanted, all others of its gang have accepted and nobody else holds a device of it.
 */
@Component
class TransitionService {
    private final ReportLocks locks;
    private final AssignmentStore assignments;
    private final AssignmentChanges changes;
    private final JobChanges jobChanges;
    private final AssignmentCompletion endings;
    private final TransactionTemplate transaction;

    TransitionService(
            ReportLocks locks,
            AssignmentStore assignments,
            AssignmentChanges changes,
            JobChanges jobChanges,
            AssignmentCompletion endings,
            TransactionTemplate transaction) {
        this.locks = locks;
        this.assignments = assignments;
        this.changes = changes;
        this.jobChanges = jobChanges;
        this.endings = endings;
        this.transaction = transaction;
    }

    /**
     * What an assignment is now.
     *
     * @param assignmentId which one
     * @param state what is known of it
     * @param seq number of the last step that counted
     * @param applied false if the step repeated what was known
     * @param desired RUN or STOP
     * @param mayStart true if it may be started
     */
    record Reply(
            String assignmentId, AssignmentState state, long seq, boolean applied, String desired, boolean mayStart) {}

    /**
     * Takes a step.
     *
     * @throws ProblemException 404; 409 if the registrationEpoch is old, the assignment is not wanted, has to wait, or
     *     is in a state from which there is no such step
     */
    Reply take(String executorId, String assignmentId, Transition step) {
        return Objects.requireNonNull(transaction.execute(status -> {
            AssignmentKey key = AssignmentKey.of(assignmentId, executorId);
            ReportLocks.TransitionRows about = locks.ofStep(key);
            StoredExecutor executor = EpochGuard.demandCurrent(about.executor(), executorId, step.registrationEpoch());
            if (key.generation() != step.generation()) {
                throw ProblemException.of(
                        ProblemType.UNPROCESSABLE, FieldError.at("/generation", "differs from that of the path"));
            }
            StoredAssignment before =
                    about.assignment().orElseThrow(() -> ProblemException.notFound("assignment", assignmentId));
            if (step.seq() <= before.seq()) {
                boolean mayStart = mayGo(before.state(), before.wanted(), about.way())
                        && !about.way().blocked();
                return reply(key, before.state(), before.seq(), false, before.wanted(), mayStart);
            }
            demandAllowed(executor, about, before, step);
            changes.step(key, step.step());
            about.job().ifPresent(known -> follow(known, before, step));
            // an end may change what the job wants, and nothing else does while the job is locked
            boolean wanted = step.state().hasEnded()
                    ? assignments.lock(key).orElseThrow().wanted()
                    : before.wanted();
            return reply(key, step.state(), step.seq(), true, wanted, mayGo(step.state(), wanted, about.way()));
        }));
    }

    private static void demandAllowed(
            StoredExecutor executor, ReportLocks.TransitionRows about, StoredAssignment before, Transition step) {
        AssignmentState next = step.state();
        boolean forward = next != AssignmentState.STOPPING && !next.hasEnded();
        if (forward && !before.wanted()) {
            Long generation = about.job().map(StoredJob::generation).orElse(null);
            throw ProblemException.of(ProblemType.STALE_GENERATION, "The assignment is not wanted any more.")
                    .withStop(generation);
        }
        if (!before.state().mayBecome(next)) {
            throw ProblemException.of(
                    ProblemType.CONFLICT, "The assignment is %s and cannot become %s.".formatted(before.state(), next));
        }
        if (next == AssignmentState.ACCEPTED || next == AssignmentState.STARTING) {
            demandNothingToWaitFor(executor, about.way(), next);
        }
        if (next == AssignmentState.STOPPED && !step.requested() && step.exitCode() == null && before.wanted()) {
            throw ProblemException.of(
                    ProblemType.UNPROCESSABLE,
                    FieldError.at("/exitCode", "is required for a program that ended by itself"));
        }
    }

    private static void demandNothingToWaitFor(
            StoredExecutor executor, GangStore.StartReadiness way, AssignmentState next) {
        if (!executor.leaseHolds()) {
            throw wait("The lease has run out; send a heartbeat first.");
        }
        if (way.blocked()) {
            throw wait("What it is to get is still held by others; waitFor names them.");
        }
        if (next == AssignmentState.STARTING && way.quiet()) {
            throw wait("The database was restored just now; nothing starts before executors have said what they run.");
        }
        if (next == AssignmentState.STARTING && !way.othersReady()) {
            throw wait("Not every other member of the gang has accepted.");
        }
    }

    private static ProblemException wait(String why) {
        return ProblemException.of(ProblemType.NOT_READY, why).withAction(ProblemException.Action.WAIT);
    }

    private void follow(StoredJob job, StoredAssignment before, Transition step) {
        AssignmentKey key = before.key();
        switch (step.state()) {
            case RUNNING -> tellIfAllRun(job, key);
            case STOPPED, FAILED -> {
                if (before.current()) {
                    endings.ended(job, before, step);
                } else if (step.state() == AssignmentState.FAILED) {
                    jobChanges.tell(key.jobId(), "STOP_FAILED", stopFailed(key, step));
                }
            }
            default -> {}
        }
    }

    private static Map<String, Object> stopFailed(AssignmentKey key, Transition step) {
        Map<String, Object> detail = new HashMap<>(Map.of("generation", key.generation(), "node", key.node()));
        if (step.detail() != null) {
            detail.put("detail", step.detail());
        }
        return detail;
    }

    private void tellIfAllRun(StoredJob job, AssignmentKey key) {
        boolean all = job.isOnOneNode()
                || assignments.gang(key.jobId(), key.generation()).stream()
                        .allMatch(member -> member.state() == AssignmentState.RUNNING);
        if (all) {
            jobChanges.runs(key.jobId(), Map.of("generation", key.generation()));
        }
    }

    private static Reply reply(
            AssignmentKey key, AssignmentState state, long seq, boolean applied, boolean wanted, boolean mayStart) {
        return new Reply(key.id(), state, seq, applied, wanted ? "RUN" : "STOP", mayStart);
    }

    /** True if an assignment in whose way nothing is may be started, or was. */
    private static boolean mayGo(AssignmentState state, boolean wanted, GangStore.StartReadiness way) {
        return switch (state) {
            case OFFERED, ACCEPTED -> wanted && way.othersReady() && !way.quiet();
            case STARTING, RUNNING -> wanted;
            default -> false;
        };
    }
}
