package dev.spur.connectors.reconcile;

import dev.spur.connectors.ControlLevel;
import dev.spur.connectors.JobAction;
import dev.spur.connectors.JobAction.Kind;
import dev.spur.connectors.LastAppliedState;
import dev.spur.connectors.Platform;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.PlatformText;
import dev.spur.connectors.Step;
import dev.spur.connectors.StepOutcome;
import dev.spur.connectors.reconcile.DesiredState.DesiredJob;
import java.time.Clock;
import java.time.Duration;
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
    /** Time for which a denied request is repeated before it counts as rejected. */
    private static final Duration DENIAL = Duration.ofMinutes(1);
    /** Time between two attempts of a cancellation that failed, and between two looks at an obstacle. */
    private static final Duration RETRY = Duration.ofMinutes(1);

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

    /**
     * Records a start of a job that waits for the platform although no action is open, for example because its pods
     * were recreated. The record limits the time of the wait. Returns it; empty if the platform has no limit or the job
     * was abandoned under this plan.
     */
    Optional<ActionRecord> watch(JobAction start, Step step) {
        Optional<Duration> timeout = platform.startTimeout();
        boolean isGivenUp = log.lastOf(start.job())
                .filter(last -> last.action().revision() == start.revision())
                .filter(this::isGivenUp)
                .isPresent();
        if (timeout.isEmpty() || isGivenUp) {
            return Optional.empty();
        }
        ActionRecord entry = ActionRecord.open(start);
        log.write(entry);
        ActionRecord waiting =
                entry.withStep(step, clock.instant().plus(timeout.get()), "the job waits for the platform");
        log.write(waiting);
        return Optional.of(waiting);
    }

    /**
     * Returns true if an action is not repeated for its plan. A cancellation is repeated, because no plan follows it.
     */
    boolean isGivenUp(ActionRecord entry) {
        boolean isRetried = entry.action().kind() == Kind.CANCEL
                && (entry.deadline() == null || !clock.instant().isBefore(entry.deadline()));
        return !isRetried
                && (entry.state() == ActionRecord.State.REFUSED || entry.state() == ActionRecord.State.FAILED);
    }

    /** Requests the next step of an open action when it is due. */
    void proceed(ActionRecord entry, PlatformJob job, List<String> failures) throws InterruptedException {
        Step step = entry.step();
        Instant until = entry.deadline();
        if (step == null || until == null) {
            request(entry, job, failures);
            return;
        }
        boolean over = !clock.instant().isBefore(until);
        boolean isSeen =
                step == Step.SIGNALLED ? over || job.state() != State.RUNNING : step.isSeenIn(job, entry.action());
        if (isSeen && !waitsForThePlatform(entry.action(), job)) {
            request(entry, job, failures);
        } else if (isSeen && over && platform.startTimeout().isPresent()) {
            String cause = platform.obstacle(job)
                    .orElse("the platform states no reason; check that the controller of this kind of job runs");
            delay(entry, step, "job %s was released but does not start: %s".formatted(job.id(), cause));
        } else if (!isSeen && over) {
            verify(entry, step, job, failures);
        }
    }

    /** Records that a step has no visible effect: as a failure, unless the platform states a cause. */
    private void verify(ActionRecord entry, Step step, PlatformJob job, List<String> failures)
            throws InterruptedException {
        Optional<String> obstacle = platform.obstacle(job);
        if (obstacle.isPresent()) {
            delay(entry, step, "job %s does not follow: %s".formatted(job.id(), obstacle.get()));
        } else {
            recordFailure(
                    entry,
                    "step %s of job %s was accepted but has no visible effect".formatted(step, job.id()),
                    failures);
        }
    }

    /**
     * Records that a job waits for a cause on the platform. This is no failure of the connector, so the circuit breaker
     * does not count it. A start is abandoned, so that the job returns its slots; any other action stays open.
     */
    private void delay(ActionRecord entry, Step step, String why) {
        log.write(
                entry.action().kind().runs()
                        ? entry.close(ActionRecord.State.FAILED, PlatformText.clean(why))
                        : entry.withStep(step, clock.instant().plus(RETRY), PlatformText.clean(why)));
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
            log.write(end(entry, ActionRecord.State.REFUSED, refused.detail()));
        } else if (outcome instanceof StepOutcome.Denied denied) {
            deny(entry, denied.detail());
        }
        // without a response the record is unchanged, and the next sync retries it
    }

    private void deny(ActionRecord entry, String why) {
        Instant until = entry.step() == null ? entry.deadline() : null;
        if (until == null) {
            log.write(entry.deniedUntil(clock.instant().plus(DENIAL), why));
        } else if (!clock.instant().isBefore(until)) {
            log.write(end(entry, ActionRecord.State.REFUSED, why));
        }
    }

    private ActionRecord end(ActionRecord entry, ActionRecord.State how, String why) {
        return entry.action().kind() == Kind.CANCEL
                ? entry.closeUntil(clock.instant().plus(RETRY), how, why)
                : entry.close(how, why);
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
        log.write(again.failures() >= limits.attempts() ? end(again, ActionRecord.State.FAILED, why) : again);
        circuitBreaker.recordFailure(why);
    }
}
