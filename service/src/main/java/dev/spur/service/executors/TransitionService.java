package dev.spur.service.executors;

import dev.spur.service.jobs.AssignmentKey;
import dev.spur.service.jobs.AssignmentState;
import dev.spur.service.jobs.AssignmentTransitionStore;
import dev.spur.service.jobs.JobEventDetail.Interruption;
import dev.spur.service.jobs.JobEventKind;
import dev.spur.service.jobs.JobTransitionStore;
import dev.spur.service.jobs.StoredAssignment;
import dev.spur.service.jobs.StoredJob;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Applies state transitions of assignments. An executor starts processes only after the response to STARTING. That
 * response requires a desired assignment, acceptance by all other members of the gang, and devices of which other
 * assignments leave enough.
 */
@Component
class TransitionService {
    private final ReportLocks locks;
    private final AssignmentTransitionStore transitions;
    private final JobTransitionStore jobTransitions;
    private final AssignmentCompletion completion;

    TransitionService(
            ReportLocks locks,
            AssignmentTransitionStore transitions,
            JobTransitionStore jobTransitions,
            AssignmentCompletion completion) {
        this.locks = locks;
        this.transitions = transitions;
        this.jobTransitions = jobTransitions;
        this.completion = completion;
    }

    /** A state transition of an assignment, as an executor reports it. Members as in the contract. */
    record Transition(
            long registrationEpoch,
            long generation,
            long seq,
            AssignmentState state,
            @Nullable Long observedRevision,
            @Nullable Long pid,
            @Nullable Long exitCode,
            boolean requested,
            @Nullable String detail,
            @Nullable Integer rescaled,
            @Nullable Boolean warm) {
        /** Lowest exit code of a process that a signal killed, such as the stop of a program that ignores stops. */
        private static final int KILLED = 129;

        /** The transition to store. */
        AssignmentTransitionStore.Step step() {
            return new AssignmentTransitionStore.Step(state, seq, pid, exitCode, requested, detail);
        }

        /** True if the program ended with an error of its own, such as a checkpoint that it could not save. */
        boolean exitedWithError() {
            return exitCode != null && exitCode > 0 && exitCode < KILLED;
        }

        /** True if the program exited by itself and successfully. */
        boolean endedWell() {
            return state == AssignmentState.STOPPED && !requested && exitCode != null && exitCode == 0;
        }
    }

    /** State of an assignment. Members as in the contract. */
    record Reply(
            String assignmentId, AssignmentState state, long seq, boolean applied, String desired, boolean mayStart) {}

    /**
     * Applies a transition.
     *
     * @throws ProblemException 404 if it does not exist; 409 if the registrationEpoch is outdated, the assignment is
     *     not desired or must wait, or its state does not allow the transition
     */
    @Transactional
    Reply take(String executorId, String assignmentId, Transition step) {
        AssignmentKey key = AssignmentKey.of(assignmentId, executorId);
        ReportLocks.TransitionRows about = locks.ofStep(key, step.state());
        StoredExecutor executor = StoredExecutor.requireCurrent(about.executor(), executorId, step.registrationEpoch());
        if (key.generation() != step.generation()) {
            throw ProblemException.of(
                    ProblemType.UNPROCESSABLE, FieldError.at("/generation", "differs from that of the path"));
        }
        StoredAssignment before =
                about.assignment().orElseThrow(() -> ProblemException.notFound("assignment", assignmentId));
        if (step.seq() <= before.seq()) {
            boolean mayStart = mayStart(before.state(), before.shouldRun(), about.readiness())
                    && !about.readiness().blocked();
            return reply(key, before.state(), before.seq(), false, before.shouldRun(), mayStart);
        }
        if (step.rescaled() != null) {
            requireRescale(before, step, step.rescaled());
            transitions.completeRescale(key, step.seq());
            return reply(key, before.state(), step.seq(), true, before.shouldRun(), before.shouldRun());
        }
        if (step.warm() != null) {
            requireWarmUp(before, step);
            transitions.warmedUp(key, step.seq(), step.warm());
            return reply(key, before.state(), step.seq(), true, before.shouldRun(), false);
        }
        requireAllowed(executor, about, before, step);
        transitions.step(key, step.step());
        boolean keeps = about.job().isEmpty() || follow(about.job().get(), before, step);
        boolean shouldRun = keeps && before.shouldRun();
        return reply(
                key, step.state(), step.seq(), true, shouldRun, mayStart(step.state(), shouldRun, about.readiness()));
    }

    private static void requireAllowed(
            StoredExecutor executor, ReportLocks.TransitionRows about, StoredAssignment before, Transition step) {
        AssignmentState next = step.state();
        boolean forward = next != AssignmentState.STOPPING && !next.hasEnded();
        if (forward && !before.shouldRun()) {
            Long generation = about.job().map(StoredJob::generation).orElse(null);
            throw ProblemException.of(ProblemType.STALE_GENERATION, "The assignment is no longer desired.")
                    .withStop(generation);
        }
        if (!before.state().mayBecome(next)) {
            throw ProblemException.of(
                    ProblemType.CONFLICT, "The assignment is %s and cannot become %s.".formatted(before.state(), next));
        }
        if (next == AssignmentState.ACCEPTED || next == AssignmentState.STARTING) {
            requireReadiness(executor, about.readiness(), next);
        }
        if (next == AssignmentState.STOPPED && !step.requested() && step.exitCode() == null && before.shouldRun()) {
            throw ProblemException.of(
                    ProblemType.UNPROCESSABLE,
                    FieldError.at("/exitCode", "is required for a program that exited by itself"));
        }
    }

    private static void requireRescale(StoredAssignment before, Transition step, int number) {
        StoredAssignment.Rescale last = before.rescale();
        if (step.state() != AssignmentState.RUNNING
                || before.state() != AssignmentState.RUNNING
                || last == null
                || last.number() != number) {
            throw ProblemException.of(
                    ProblemType.CONFLICT,
                    "The assignment is %s and has change %s of its ranks, so change %d cannot be complete."
                            .formatted(before.state(), last == null ? "no" : last.number(), number));
        }
    }

    private static void requireWarmUp(StoredAssignment before, Transition step) {
        boolean waits = before.state() == AssignmentState.OFFERED || before.state() == AssignmentState.ACCEPTED;
        if (!waits || step.state() != AssignmentState.ACCEPTED) {
            throw ProblemException.of(
                    ProblemType.CONFLICT,
                    "The assignment is %s, so its processes cannot warm up: they have started."
                            .formatted(before.state()));
        }
    }

    private static void requireReadiness(
            StoredExecutor executor, GangStore.StartReadiness readiness, AssignmentState next) {
        if (!executor.leaseHolds()) {
            throw wait("The lease has expired; send a heartbeat first.");
        }
        if (readiness.blocked()) {
            throw wait("Other assignments still hold its devices, or too much of them; waitFor lists them.");
        }
        if (next == AssignmentState.STARTING && readiness.recovering()) {
            throw wait(
                    "The database was restored recently; assignments start after executors have reported what they run.");
        }
        if (next == AssignmentState.STARTING && !readiness.othersReady()) {
            throw wait("Not all other members of the gang have accepted.");
        }
    }

    private static ProblemException wait(String why) {
        return ProblemException.of(ProblemType.NOT_READY, why).withAction(ProblemException.Action.WAIT);
    }

    /** Applies the end of an assignment to its job. Returns false if the job has lost its allocation or has ended. */
    private boolean follow(StoredJob job, StoredAssignment before, Transition step) {
        if (!step.state().hasEnded()) {
            return true;
        }
        if (before.current()) {
            return completion.handleRelease(job, before, step);
        }
        if (step.state() == AssignmentState.FAILED) {
            jobTransitions.addEvent(before.key().jobId(), JobEventKind.STOP_FAILED, stopFailed(before.key(), step));
        }
        return true;
    }

    private static Interruption stopFailed(AssignmentKey key, Transition step) {
        return Interruption.ofProcess(null, key.generation(), key.node(), null, step.detail());
    }

    private static Reply reply(
            AssignmentKey key, AssignmentState state, long seq, boolean applied, boolean shouldRun, boolean mayStart) {
        return new Reply(key.id(), state, seq, applied, shouldRun ? "RUN" : "STOP", mayStart);
    }

    /** True if an assignment that nothing blocks may be started, or was started. */
    private static boolean mayStart(AssignmentState state, boolean shouldRun, GangStore.StartReadiness readiness) {
        return switch (state) {
            case OFFERED, ACCEPTED -> shouldRun && readiness.othersReady() && !readiness.recovering();
            case STARTING, RUNNING -> shouldRun;
            default -> false;
        };
    }
}
