package dev.spur.connectors.kubernetes;

import dev.spur.connectors.Action;
import dev.spur.connectors.ControlLevel;
import dev.spur.connectors.Mark;
import dev.spur.connectors.Outcome;
import dev.spur.connectors.Platform;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.PlatformNode;
import dev.spur.connectors.kubernetes.WorkloadKind.Pins;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A Kubernetes cluster. A job is held by a lever that its kind has, and has no pods then that hold anything; sizes and places change
 * while it is held. The mark is an annotation, written in one piece with whatever it tells. Each write goes through only if nobody
 * was faster, and is read back.
 */
public final class KubernetesPlatform implements Platform {
    private final KubernetesSettings settings;
    private final Calls calls;
    private final Desk desk;

    public KubernetesPlatform(KubernetesClient client, KubernetesSettings settings, Clock clock) {
        this.settings = settings;
        this.desk = new Desk(client, settings, clock);
        this.calls = desk.calls();
    }

    @Override
    public ControlLevel most() {
        return ControlLevel.RESIZE;
    }

    @Override
    public boolean hasQueue() {
        return false;
    }

    @Override
    public List<PlatformNode> inventory() throws IOException, InterruptedException {
        NodeReader reader = new NodeReader(settings.poolLabel());
        List<Pod> pods = Contents.pods(calls);
        return calls.list(Contents.NODES).stream()
                .flatMap(node -> reader.read(node, pods).stream())
                .toList();
    }

    @Override
    public List<PlatformJob> workload() throws IOException, InterruptedException {
        return Contents.read(calls).jobs(desk.reader());
    }

    private Lever lever(Workload job) {
        if (job.admission().isPresent()) {
            return new Admissions(desk);
        }
        return job.kind().pins() == Pins.PODS ? new GatesAndCommands(desk) : new Suspension(desk);
    }

    @Override
    public Outcome apply(Action action, PlatformJob seen) throws InterruptedException {
        try {
            Optional<Workload> found = desk.find(action.job());
            if (found.isEmpty()) {
                return new Outcome.Unanswered("job %s is not there".formatted(action.job()));
            }
            return switch (action.kind()) {
                case CANCEL -> cancel(found.get());
                case HOLD, STOP -> lever(found.get()).hold(action, found.get());
                case SHRINK, MOVE, GROW, START -> run(action, found.get(), seen);
                case ORDER -> new Outcome.Refused("Kubernetes has no queue of jobs");
            };
        } catch (Refusal no) {
            return new Outcome.Refused("job %s: %s".formatted(action.job(), no.getMessage()));
        } catch (IOException away) {
            return new Outcome.Unanswered("job %s: %s".formatted(action.job(), away.getMessage()));
        }
    }

    private Outcome run(Action action, Workload job, PlatformJob seen)
            throws IOException, InterruptedException, Refusal {
        boolean there = !job.isSuspended()
                && seen.state() == State.RUNNING
                && seen.held().equals(action.placement());
        return there ? desk.confirm(action, job) : lever(job).run(action, job, seen);
    }

    private Outcome cancel(Workload job) throws IOException, InterruptedException, Refusal {
        calls.delete(job.path(), job.uid());
        Optional<Workload> now = desk.find(job.id());
        return now.isEmpty() || now.get().isBeingDeleted()
                ? desk.ending("it was deleted")
                : new Outcome.Unchanged("job %s was deleted and is still there".formatted(job.id()));
    }

    /** Lets go what was made anew of jobs that are to run. */
    @Override
    public List<String> uphold(Collection<PlatformJob> jobs) throws InterruptedException {
        List<String> failures = new ArrayList<>();
        try {
            Kueue.activate(calls, desk.clock());
        } catch (Refusal no) {
            failures.add("the checks of Kueue: " + no.getMessage());
        } catch (IOException away) {
            // it is tried again at the next look, which tells if the cluster is away
        }
        for (PlatformJob job : jobs) {
            boolean waits = job.state() == State.WAITING
                    && job.mark().filter(Mark::runs).isPresent();
            if (waits) {
                uphold(job.id(), failures);
            }
        }
        return failures;
    }

    private void uphold(String id, List<String> failures) throws InterruptedException {
        try {
            Optional<Workload> found = desk.find(id);
            if (found.isPresent()) {
                failures.addAll(lever(found.get()).uphold(found.get()));
            }
        } catch (Refusal no) {
            failures.add("job %s: %s".formatted(id, no.getMessage()));
        } catch (IOException away) {
            // it is tried again at the next look, which tells if the cluster is away
        }
    }
}
