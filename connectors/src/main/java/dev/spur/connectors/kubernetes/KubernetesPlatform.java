package dev.spur.connectors.kubernetes;

import dev.spur.connectors.ControlLevel;
import dev.spur.connectors.JobAction;
import dev.spur.connectors.LastAppliedState;
import dev.spur.connectors.Platform;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.PlatformNode;
import dev.spur.connectors.StepOutcome;
import dev.spur.connectors.kubernetes.WorkloadKind.Pins;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A Kubernetes cluster. A job is held by the suspension strategy of its kind, and then has no pods that hold resources.
 * Sizes and placements change while it is held. The last-applied state is an annotation, written in the same request as
 * the change that it describes. Each write fails after a concurrent change, and is verified by reading the object.
 */
public final class KubernetesPlatform implements Platform {
    private final KubernetesSettings settings;
    private final ApiServerClient calls;
    private final WorkloadPatcher patcher;
    private final Clock clock;
    /** Snapshot of the latest inventory, until the jobs are read from it; null without one. */
    private @Nullable ClusterSnapshot latest;

    public KubernetesPlatform(KubernetesClient client, KubernetesSettings settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
        this.patcher = new WorkloadPatcher(client, settings, clock);
        this.calls = patcher.calls();
    }

    @Override
    public ControlLevel maxControlLevel() {
        return ControlLevel.RESIZE;
    }

    @Override
    public boolean hasQueue() {
        return false;
    }

    @Override
    public List<PlatformNode> inventory() throws IOException, InterruptedException {
        ClusterSnapshot snapshot = snapshot();
        latest = snapshot;
        return snapshot.nodes(settings.lostAfter(), clock.instant());
    }

    private ClusterSnapshot snapshot() throws IOException, InterruptedException {
        return ClusterSnapshot.read(calls, settings);
    }

    @Override
    public List<PlatformJob> workload() throws IOException, InterruptedException {
        ClusterSnapshot snapshot = latest == null ? snapshot() : latest;
        latest = null;
        return snapshot.jobs();
    }

    @Override
    public Optional<Duration> startTimeout() {
        return Optional.of(settings.startWait().plus(settings.timeout()));
    }

    @Override
    public Optional<String> obstacle(PlatformJob job) throws InterruptedException {
        try {
            return new Obstacles(calls, snapshot(), clock.instant()).of(job);
        } catch (IOException unreachable) {
            return Optional.of(String.valueOf(unreachable.getMessage()));
        }
    }

    private SuspensionStrategy strategy(Workload job) {
        if (job.admission().isPresent()) {
            return new Admissions(patcher);
        }
        return job.kind().pins() == Pins.PODS ? new VolcanoSuspension(patcher) : new Suspension(patcher);
    }

    @Override
    public StepOutcome apply(JobAction action, PlatformJob observed) throws InterruptedException {
        try {
            Optional<Workload> found = patcher.find(action.job());
            if (found.isEmpty()) {
                return new StepOutcome.NoResponse("job %s does not exist".formatted(action.job()));
            }
            return switch (action.kind()) {
                case CANCEL -> cancel(found.get());
                case HOLD, STOP -> strategy(found.get()).hold(action, found.get());
                case SHRINK, MOVE, GROW, START -> run(action, found.get(), observed);
                case ORDER -> new StepOutcome.Rejected("Kubernetes has no job queue");
            };
        } catch (KubernetesRejection rejection) {
            String why = "job %s: %s".formatted(action.job(), rejection.getMessage());
            return rejection.isDenial() ? new StepOutcome.Denied(why) : new StepOutcome.Rejected(why);
        } catch (IOException unreachable) {
            return new StepOutcome.NoResponse("job %s: %s".formatted(action.job(), unreachable.getMessage()));
        }
    }

    private StepOutcome run(JobAction action, Workload job, PlatformJob observed)
            throws IOException, InterruptedException, KubernetesRejection {
        boolean isApplied = !job.isSuspended()
                && observed.state() == State.RUNNING
                && observed.held().equals(action.placement());
        return isApplied ? patcher.confirm(action, job) : strategy(job).run(action, job, observed);
    }

    private StepOutcome cancel(Workload job) throws IOException, InterruptedException, KubernetesRejection {
        calls.delete(job.path(), job.uid());
        Optional<Workload> now = patcher.find(job.id());
        return now.isEmpty() || now.get().isBeingDeleted()
                ? patcher.ending("it was deleted")
                : new StepOutcome.Unchanged("job %s was deleted but still exists".formatted(job.id()));
    }

    /** Releases recreated pods of jobs that are to run. */
    @Override
    public List<String> enforce(Collection<PlatformJob> jobs) throws InterruptedException {
        List<String> failures = new ArrayList<>();
        try {
            Kueue.activate(calls, patcher.clock());
        } catch (KubernetesRejection rejection) {
            report("admission checks of Kueue", rejection, failures);
        } catch (IOException unreachable) {
            // the next sync retries, and reports an unreachable cluster
        }
        for (PlatformJob job : jobs) {
            boolean waits = job.state() == State.WAITING
                    && job.mark().filter(LastAppliedState::runs).isPresent();
            if (waits) {
                enforce(job.id(), failures);
            }
        }
        return failures;
    }

    /** Adds a failure. A denial is none: a starting API server denies all, and the next sync retries. */
    private static void report(String what, KubernetesRejection rejection, List<String> failures) {
        if (!rejection.isDenial()) {
            failures.add("%s: %s".formatted(what, rejection.getMessage()));
        }
    }

    private void enforce(String id, List<String> failures) throws InterruptedException {
        try {
            Optional<Workload> found = patcher.find(id);
            if (found.isPresent()) {
                failures.addAll(strategy(found.get()).enforce(found.get()));
            }
        } catch (KubernetesRejection rejection) {
            report("job " + id, rejection, failures);
        } catch (IOException unreachable) {
            // the next sync retries, and reports an unreachable cluster
        }
    }
}
