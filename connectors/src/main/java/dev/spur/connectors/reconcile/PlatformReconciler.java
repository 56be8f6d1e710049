package dev.spur.connectors.reconcile;

import dev.spur.connectors.ControlLevel;
import dev.spur.connectors.JobAction;
import dev.spur.connectors.PlacementGranularity;
import dev.spur.connectors.Platform;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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
    public ReconcileReport reconcile(PlatformObservation observation, DesiredState plan) throws InterruptedException {
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
        for (ActionRecord entry : open) {
            observed.job(entry.action().job()).ifPresent(job -> attempts.proceed(entry, job, failures));
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
                .filter(action -> log.find(action.id())
                        .map(entry -> entry.state() != ActionRecord.State.REFUSED
                                && entry.state() != ActionRecord.State.FAILED)
                        .orElse(true))
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
