package dev.spur.connectors.reconcile;

import dev.spur.connectors.ControlLevel;
import dev.spur.connectors.JobAction;
import dev.spur.connectors.JobAction.Kind;
import dev.spur.connectors.PlacementGranularity;
import dev.spur.connectors.Platform;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.Step;
import dev.spur.connectors.reconcile.DesiredState.DesiredJob;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reconciles a platform with the plan, one sync at a time. The reconciler is stateless. A new instance with the same
 * log and platform continues after a stop at any point.
 */
public final class PlatformReconciler {
    private final Platform platform;
    private final ActionLog log;
    private final Limits limits;
    private final OwnershipCheck ownership;
    private final ActionExecutor attempts;

    public PlatformReconciler(Platform platform, ActionLog log, Limits limits, Clock clock) {
        this.platform = platform;
        this.log = log;
        this.limits = limits;
        this.ownership = new OwnershipCheck(log);
        this.attempts = new ActionExecutor(platform, log, limits, clock);
    }

    /**
     * Observes the platform.
     *
     * @throws IOException if it does not respond
     */
    public PlatformObservation look() throws IOException, InterruptedException {
        return PlatformObservation.of(platform.inventory(), platform.workload());
    }

    /** Returns the manually overridden jobs by id, with the observed difference. */
    public Map<String, String> manuallyOverridden(PlatformObservation observed) {
        return ownership.manuallyOverridden(PoolProjection.of(platform.placementGranularity(), observed));
    }

    /**
     * Compares the observed with the desired state, continues open actions and starts new ones.
     *
     * @return pending changes and their progress
     */
    public ReconcileReport reconcile(PlatformObservation observation, DesiredState planState)
            throws InterruptedException {
        DesiredState plan = planState.asReadBy(observation);
        PlatformObservation observed = PoolProjection.of(platform.placementGranularity(), observation);
        DesiredState desired = PoolProjection.of(platform.placementGranularity(), plan, observation);
        ControlLevel allowed = log.status().controlLevel();
        ControlLevel max = min(platform.maxControlLevel().includes(allowed) ? allowed : platform.maxControlLevel());
        Map<String, String> released = ownership.manuallyOverridden(observed);
        List<JobAction> actions =
                DesiredStateDiff.differences(
                                desired, observed, max == ControlLevel.OBSERVE ? platform.maxControlLevel() : max)
                        .stream()
                        .filter(action -> !released.containsKey(action.job()))
                        .toList();
        List<String> failures = new ArrayList<>();
        if (max == ControlLevel.OBSERVE) {
            return new ReconcileReport(actions, List.of(), actions, released, failures);
        }
        List<ActionRecord> open = attempts.close(observed, desired);
        FreeCapacity free = freeCapacity(observation, plan, max);
        open.forEach(entry -> observed.job(entry.action().job())
                .filter(job -> entry.action().kind().runs())
                .ifPresent(job -> free.reserve(entry.action(), job)));
        open.addAll(watch(desired, observed, released.keySet(), open, free, max));
        for (ActionRecord entry : open) {
            Optional<PlatformJob> job = observed.job(entry.action().job());
            if (job.isPresent()) {
                attempts.proceed(entry, job.get(), failures);
            }
        }
        List<JobAction> started = new ArrayList<>();
        begin(fresh(actions, desired, open, max, observed), observed, free, open, started, failures);
        attempts.enforce(
                observation.jobs().values().stream()
                        .filter(job -> job.isOffered() && !released.containsKey(job.id()))
                        .toList(),
                failures);
        List<JobAction> blocked = actions.stream()
                .filter(action -> !started.contains(action) && !isOpen(action, open))
                .toList();
        return new ReconcileReport(actions, started, blocked, released, failures);
    }

    /**
     * Records the starts of jobs that wait for the platform without an open action: jobs that Spur released and whose
     * pods were recreated, and jobs that Spur stopped and whose pods do not end.
     */
    private List<ActionRecord> watch(
            DesiredState desired,
            PlatformObservation observed,
            Set<String> released,
            List<ActionRecord> open,
            FreeCapacity free,
            ControlLevel max) {
        List<ActionRecord> watched = new ArrayList<>();
        for (PlatformJob job : observed.jobs().values()) {
            if (!job.isOffered()
                    || released.contains(job.id())
                    || !(desired.wants().get(job.id()) instanceof DesiredJob.Run run)) {
                continue;
            }
            JobAction start = new JobAction(desired.revision(), job.id(), Kind.START, run.placement(), 0);
            boolean permitted = max.includes(ControlLevel.ADMIT)
                    && !desired.blocked().contains(job.id())
                    && (max == ControlLevel.RESIZE || keepsItsSize(start, observed))
                    && !isOpen(start, open);
            if (permitted && job.state() == State.WAITING && DesiredStateDiff.shows(job, run.placement())) {
                attempts.watch(start, Step.STARTING).ifPresent(watched::add);
            } else if (permitted && isBeingStopped(job) && free.has(start, job)) {
                free.reserve(start, job);
                attempts.watch(start, Step.HOLDING).ifPresent(watched::add);
            }
        }
        return watched;
    }

    private static boolean isBeingStopped(PlatformJob job) {
        return job.state() == State.STOPPING
                && job.mark().filter(mark -> !mark.runs()).isPresent();
    }

    private FreeCapacity freeCapacity(PlatformObservation observation, DesiredState plan, ControlLevel max) {
        return platform.placementGranularity() == PlacementGranularity.NODES
                ? new FreeNodeCapacity(observation)
                : new FreePoolCapacity(
                        observation,
                        plan,
                        stop -> max == ControlLevel.RESIZE
                                && log.find(stop.id()).isEmpty());
    }

    private ControlLevel min(ControlLevel controlLevel) {
        return controlLevel == ControlLevel.PRIORITIZE && !platform.hasQueue() ? ControlLevel.OBSERVE : controlLevel;
    }

    /**
     * Returns the actions that may start. The control level must permit them, their dependencies must be complete, and
     * they must not have been rejected or abandoned for this plan.
     */
    private List<JobAction> fresh(
            List<JobAction> actions,
            DesiredState desired,
            List<ActionRecord> open,
            ControlLevel max,
            PlatformObservation observed) {
        return actions.stream()
                .filter(action -> max.includes(action.kind().minControlLevel()))
                .filter(action -> !action.kind().runs() || !desired.blocked().contains(action.job()))
                .filter(action -> max == ControlLevel.RESIZE || keepsItsSize(action, observed))
                .filter(action -> !isOpen(action, open))
                .filter(action ->
                        log.find(action.id()).filter(attempts::isGivenUp).isEmpty())
                .toList();
    }

    private static boolean isOpen(JobAction action, List<ActionRecord> open) {
        return open.stream().anyMatch(entry -> entry.action().job().equals(action.job()));
    }

    private static boolean keepsItsSize(JobAction action, PlatformObservation observed) {
        PlatformJob.Size requested = observed.of(action).requested();
        return action.placement().isNowhere() || action.placement().total() == requested.slots();
    }

    private void begin(
            List<JobAction> fresh,
            PlatformObservation observed,
            FreeCapacity free,
            List<ActionRecord> open,
            List<JobAction> started,
            List<String> failures) {
        List<JobAction> blocked = new ArrayList<>();
        long interrupted = open.stream()
                .filter(entry -> entry.action().kind().interrupts())
                .count();
        for (JobAction action : free.inOrder(fresh)) {
            PlatformJob job = observed.of(action);
            boolean interrupts = action.kind().interrupts() && job.state() == State.RUNNING;
            boolean fits = !action.kind().runs() || free.has(action, job);
            if (!fits || (interrupts && interrupted >= limits.maxConcurrentRestarts())) {
                blocked.add(action);
                continue;
            }
            if (action.kind().runs()) {
                free.reserve(action, job);
            }
            interrupted += interrupts ? 1 : 0;
            attempts.begin(action, job, failures);
            started.add(action);
        }
        if (started.isEmpty() && open.isEmpty()) {
            free.stopForDefragmentation(blocked, observed).ifPresent(stop -> {
                attempts.begin(stop, observed.of(stop), failures);
                started.add(stop);
            });
        }
    }
}
