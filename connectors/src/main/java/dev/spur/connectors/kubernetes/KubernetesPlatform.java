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
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A Kubernetes cluster. A job is held by a lever that its kind has, and has no pods then that hold anything; sizes and
 * places change while it is held. The mark is an annotation, written in one piece with whatever it tells. Each write
 * goes through only if nobody was faster, and is read back.
 */
public final class KubernetesPlatform implements Platform {
    private final KubernetesSettings settings;
    private final ApiServerClient calls;
    private final WorkloadPatcher desk;

    public KubernetesPlatform(KubernetesClient client, KubernetesSettings settings, Clock clock) {
        this.settings = settings;
        this.desk = new WorkloadPatcher(client, settings, clock);
        this.calls = desk.calls();
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
        KubernetesNodeReader reader = new KubernetesNodeReader(settings.poolLabel());
        List<Pod> pods = ClusterSnapshot.pods(calls);
        return calls.list(ClusterSnapshot.NODES).stream()
                .flatMap(node -> reader.read(node, pods).stream())
                .toList();
    }

    @Override
    public List<PlatformJob> workload() throws IOException, InterruptedException {
        return ClusterSnapshot.read(calls).jobs(desk.reader());
    }

    private SuspensionStrategy lever(Workload job) {
        if (job.admission().isPresent()) {
            return new Admissions(desk);
        }
        return job.kind().pins() == Pins.PODS ? new VolcanoSuspension(desk) : new Suspension(desk);
    }

    @Override
    public StepOutcome apply(JobAction action, PlatformJob seen) throws InterruptedException {
        try {
            Optional<Workload> found = desk.find(action.job());
            if (found.isEmpty()) {
                return new StepOutcome.NoResponse("job %s is not there".formatted(action.job()));
            }
            return switch (action.kind()) {
                case CANCEL -> cancel(found.get());
                case HOLD, STOP -> lever(found.get()).hold(action, found.get());
                case SHRINK, MOVE, GROW, START -> run(action, found.get(), seen);
                case ORDER -> new StepOutcome.Rejected("Kubernetes has no queue of jobs");
            };
        } catch (KubernetesRejection no) {
            return new StepOutcome.Rejected("job %s: %s".formatted(action.job(), no.getMessage()));
        } catch (IOException away) {
            return new StepOutcome.NoResponse("job %s: %s".formatted(action.job(), away.getMessage()));
        }
    }

    private StepOutcome run(JobAction action, Workload job, PlatformJob seen)
            throws IOException, InterruptedException, KubernetesRejection {
        boolean there = !job.isSuspended()
                && seen.state() == State.RUNNING
                && seen.held().equals(action.placement());
        return there ? desk.confirm(action, job) : lever(job).run(action, job, seen);
    }

    private StepOutcome cancel(Workload job) throws IOException, InterruptedException, KubernetesRejection {
        calls.delete(job.path(), job.uid());
        Optional<Workload> now = desk.find(job.id());
        return now.isEmpty() || now.get().isBeingDeleted()
                ? desk.ending("it was deleted")
                : new StepOutcome.Unchanged("job %s was deleted and is still there".formatted(job.id()));
    }

    /** Lets go what was made anew of jobs that are to run. */
    @Override
    public List<String> enforce(Collection<PlatformJob> jobs) throws InterruptedException {
        List<String> failures = new ArrayList<>();
        try {
            Kueue.activate(calls, desk.clock());
        } catch (KubernetesRejection no) {
            failures.add("the checks of Kueue: " + no.getMessage());
        } catch (IOException away) {
            // it is tried again at the next look, which tells if the cluster is away
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

    private void enforce(String id, List<String> failures) throws InterruptedException {
        try {
            Optional<Workload> found = desk.find(id);
            if (found.isPresent()) {
                failures.addAll(lever(found.get()).enforce(found.get()));
            }
        } catch (KubernetesRejection no) {
            failures.add("job %s: %s".formatted(id, no.getMessage()));
        } catch (IOException away) {
            // it is tried again at the next look, which tells if the cluster is away
        }
    }
}
