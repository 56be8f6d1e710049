package dev.spur.connectors.reconcile;

import dev.spur.connectors.ControlLevel;
import dev.spur.connectors.JobAction;
import dev.spur.connectors.JobAction.Kind;
import dev.spur.connectors.LastAppliedState;
import dev.spur.connectors.Platform;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.Step;
import dev.spur.connectors.StepOutcome;
import dev.spur.connectors.reconcile.DesiredState.DesiredJob;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Executes actions: records each action, requests its steps, verifies their effects, retries them and closes the
 * record.
 */
final class ActionExecutor {
    private final Platform platform;
    private final ActionLog log;
    private final Limits limits;
    private final CircuitBreaker circuitBreaker;
    private final Clock clock;

    ActionExecutor(Platform platform, ActionLog log, Limits limits, Clock clock) {
        this.platform = platform;
        this.log = log;
        this.limits = limits;
        this.circuitBreaker = new CircuitBreaker(log, limits);
        this.clock = clock;
    }

    /** Closes the records of verified, superseded and obsolete actions. Returns the open records. */
    List<ActionRecord> close(PlatformObservation observed, DesiredState desired) {
        List<ActionRecord> open = new ArrayList<>();
        for (ActionRecord entry : log.open()) {
            JobAction action = entry.action();
            Optional<PlatformJob> job = observed.job(action.job());
            if (job.isPresent() && isReached(action, job.get())) {
                log.write(entry.close(ActionRecord.State.DONE, "verified on the platform"));
                circuitBreaker.recordSuccess();
            } else if (job.isEmpty() || job.get().state().hasEnded()) {
                log.write(entry.close(ActionRecord.State.JOB_ENDED, "the job has ended"));
            } else if (!isDesired(action, desired)) {
                log.write(entry.close(
                        ActionRecord.State.SUPERSEDED, "superseded by revision %d".formatted(desired.revision())));
            } else {
                open.add(entry);
            }
        }
        return open;
    }

    private static boolean isReached(JobAction action, PlatformJob job) {
        boolean marked = job.mark()
                .map(LastAppliedState::placement)
                .filter(action.placement()::equals)
                .isPresent();
        return switch (action.kind()) {
            case CANCEL -> job.state().hasEnded();
            case HOLD, STOP -> job.state() == State.HELD && marked;
            case SHRINK, MOVE, GROW, START ->
                job.state() == State.RUNNING && job.held().equals(action.placement()) && marked;
            case ORDER -> job.priority() == action.priority();
        };
    }

    private static boolean isDesired(JobAction action, DesiredState desired) {
        @Nullable DesiredJob want = desired.wants().get(action.job());
        if (want instanceof DesiredJob.Run run) {
            boolean yields = action.kind() == Kind.STOP && action.revision() == desired.revision();
            return yields || run.placement().equals(action.placement());
        }
        if (want instanceof DesiredJob.End) {
            return action.kind() == Kind.CANCEL;
        }
        return want != null
                && (action.kind() == Kind.HOLD || action.kind() == Kind.STOP || action.kind() == Kind.ORDER);
    }

    /** Records an action and requests its first step. */
    void begin(JobAction action, PlatformJob job, List<String> failures) {
        ActionRecord entry = ActionRecord.open(action);
        log.write(entry);
        request(entry, job, failures);
    }

    /** Requests the next step of an open action when it is due. */
    void proceed(ActionRecord entry, PlatformJob job, List<String> failures) {
        Step step = entry.step();
        Instant until = entry.deadline();
        if (step == null || until == null) {
            request(entry, job, failures);
            return;
        }
        boolean over = !clock.instant().isBefore(until);
        if (step == Step.SIGNALLED ? over || job.state() != State.RUNNING : step.isSeenIn(job, entry.action())) {
            if (!waitsForThePlatform(entry.action(), job)) {
                request(entry, job, failures);
            }
        } else if (over) {
            recordFailure(
                    entry,
                    "step %s of job %s was accepted but has no visible effect".formatted(step, job.id()),
                    failures);
        }
    }

    private static boolean waitsForThePlatform(JobAction action, PlatformJob job) {
        return action.kind().runs() && DesiredStateDiff.shows(job, action.placement());
    }

    private void request(ActionRecord entry, PlatformJob job, List<String> failures) {
        if (log.status().controlLevel() == ControlLevel.OBSERVE) {
            // the circuit breaker opened because of another job
            return;
        }
        StepOutcome outcome;
        try {
            outcome = platform.apply(entry.action(), job);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return;
        }
        if (outcome instanceof StepOutcome.Accepted requested) {
            log.write(entry.withStep(requested.step(), clock.instant().plus(requested.timeout()), requested.detail()));
        } else if (outcome instanceof StepOutcome.Unchanged unchanged) {
            recordFailure(entry, unchanged.detail(), failures);
        } else if (outcome instanceof StepOutcome.Rejected refused) {
            log.write(entry.close(ActionRecord.State.REFUSED, refused.detail()));
        }
        // without a response the record is unchanged, and the next sync retries it
    }

    /** Enforces last-applied states. A failure counts toward the circuit breaker like a failed action. */
    void enforce(Collection<PlatformJob> jobs, List<String> failures) throws InterruptedException {
        if (!log.status().controlLevel().includes(ControlLevel.ADMIT)) {
            return;
        }
        for (String why : platform.enforce(jobs)) {
            failures.add(why);
            circuitBreaker.recordFailure(why);
        }
    }

    private void recordFailure(ActionRecord entry, String why, List<String> failures) {
        failures.add(why);
        ActionRecord again = entry.failedOnce(why);
        log.write(again.failures() >= limits.attempts() ? again.close(ActionRecord.State.FAILED, why) : again);
        circuitBreaker.recordFailure(why);
    }
}
