package dev.spur.connectors.kubernetes;

import dev.spur.connectors.Action;
import dev.spur.connectors.Mark;
import dev.spur.connectors.Mode;
import dev.spur.connectors.Outcome;
import dev.spur.connectors.Placement;
import dev.spur.connectors.Platform;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.PlatformNode;
import dev.spur.connectors.Step;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * A Kubernetes cluster. A job is held by suspending it, and has no pods then; sizes and places change while it is held. The mark is
 * an annotation, written in one piece with whatever it tells. Each write goes through only if nobody was faster, and is read back.
 */
public final class KubernetesPlatform implements Platform {
    private final KubernetesSettings settings;
    private final Calls calls;
    private final Clock clock;

    public KubernetesPlatform(KubernetesClient client, KubernetesSettings settings, Clock clock) {
        this.settings = settings;
        this.calls = new Calls(client);
        this.clock = clock;
    }

    @Override
    public Mode most() {
        return Mode.ELASTIC;
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
        return Contents.read(calls).jobs(reader());
    }

    private WorkloadReader reader() throws IOException, InterruptedException {
        return new WorkloadReader(settings.poolLabel(), hosts());
    }

    private Hosts hosts() throws IOException, InterruptedException {
        return new Hosts(calls.list(Contents.NODES), new NodeReader(settings.poolLabel()));
    }

    @Override
    public Outcome apply(Action action, PlatformJob seen) throws InterruptedException {
        try {
            Optional<Workload> found = find(action.job());
            if (found.isEmpty()) {
                return new Outcome.Unanswered("job %s is not there".formatted(action.job()));
            }
            return switch (action.kind()) {
                case CANCEL -> cancel(found.get());
                case HOLD, STOP -> hold(action, found.get());
                case SHRINK, MOVE, GROW, START -> run(action, found.get(), seen);
                case ORDER -> new Outcome.Refused("Kubernetes has no queue of jobs");
            };
        } catch (Refusal no) {
            return new Outcome.Refused("job %s: %s".formatted(action.job(), no.getMessage()));
        } catch (IOException away) {
            return new Outcome.Unanswered("job %s: %s".formatted(action.job(), away.getMessage()));
        }
    }

    /** The job with an id as it lies there now; empty if it is gone, or another one has its name. */
    private Optional<Workload> find(String id) throws IOException, InterruptedException, Refusal {
        String[] parts = id.split("/", -1);
        if (parts.length != 4) {
            throw new Refusal("this is no id of a job");
        }
        WorkloadKind kind =
                Kinds.find(parts[1]).orElseThrow(() -> new Refusal("there are no jobs of kind " + parts[1]));
        return calls.get(kind.path(parts[0], parts[2]))
                .map(object -> new Workload(kind, object))
                .filter(workload -> workload.id().equals(id));
    }

    private Workload again(Workload before) throws IOException, InterruptedException, Refusal {
        return find(before.id()).orElseThrow(() -> new IOException("it is gone"));
    }

    private Outcome cancel(Workload job) throws IOException, InterruptedException, Refusal {
        calls.delete(job.path(), job.uid());
        Optional<Workload> now = find(job.id());
        return now.isEmpty() || now.get().isBeingDeleted()
                ? asked(Step.ENDING, settings.stopWait(), "it was deleted")
                : new Outcome.Unchanged("job %s was deleted and is still there".formatted(job.id()));
    }

    private Outcome hold(Action action, Workload job) throws IOException, InterruptedException, Refusal {
        ObjectNode changed = job.object().deepCopy();
        boolean marked = mark(action, job, Placement.NONE, changed);
        if (job.isSuspended() && marked) {
            return asked(Step.HOLDING, settings.stopWait(), "it is suspended");
        }
        suspend(job.kind(), changed, true);
        calls.put(job.path(), changed);
        Workload now = again(job);
        return now.isSuspended() && isMarked(now, action, Placement.NONE)
                ? asked(Step.HOLDING, settings.stopWait(), "it was suspended")
                : new Outcome.Unchanged("job %s was suspended, and is%s suspended and marked \"%s\""
                        .formatted(
                                job.id(),
                                now.isSuspended() ? "" : " not",
                                now.mark().map(Mark::text).orElse("")));
    }

    private Outcome run(Action action, Workload job, PlatformJob seen)
            throws IOException, InterruptedException, Refusal {
        Placement there = action.placement();
        if (!job.isSuspended() && seen.state() == State.RUNNING && seen.held().equals(there)) {
            return confirm(action, job);
        }
        if (!job.isSuspended() && seen.state() == State.WAITING && isMarked(job, action, there) && isTied(job, there)) {
            // it was released just before a crash, and its pods are on their way
            return asked(Step.STARTING, settings.startWait(), "it was released");
        }
        if (!job.isSuspended() || seen.state() != State.HELD) {
            return hold(action, job);
        }
        Fitting fitting = new Fitting(job, hosts());
        fitting.check(there);
        forgetStart(job);
        Workload fresh = again(job);
        ObjectNode changed = new Fitting(fresh, hosts()).fitted(there);
        mark(action, fresh, there, changed);
        calls.put(job.path(), changed);
        Workload fitted = again(job);
        if (!isTied(fitted, there) || !isMarked(fitted, action, there)) {
            return new Outcome.Unchanged(
                    "job %s was given %s, and is not tied to it and marked so".formatted(job.id(), there.slots()));
        }
        return release(fitted);
    }

    private boolean isTied(Workload job, Placement there) throws IOException, InterruptedException, Refusal {
        return reader().pinned(job, Shape.of(job.kind(), job.object())).equals(there);
    }

    private Outcome confirm(Action action, Workload job) throws IOException, InterruptedException, Refusal {
        ObjectNode changed = job.object().deepCopy();
        if (!mark(action, job, action.placement(), changed)) {
            calls.put(job.path(), changed);
            if (!isMarked(again(job), action, action.placement())) {
                return new Outcome.Unchanged(
                        "job %s was marked, and the mark does not stand there".formatted(job.id()));
            }
        }
        return asked(Step.STARTING, settings.startWait(), "it runs there already");
    }

    private Outcome release(Workload job) throws IOException, InterruptedException, Refusal {
        ObjectNode released = job.object().deepCopy();
        suspend(job.kind(), released, false);
        calls.put(job.path(), released);
        return again(job).isSuspended()
                ? new Outcome.Unchanged("job %s was released and is still suspended".formatted(job.id()))
                : asked(Step.STARTING, settings.startWait(), "it was released");
    }

    /**
     * Takes off when a suspended batch Job was started: its template may be changed only while it has no start time. Its controller
     * sets it anew.
     */
    private void forgetStart(Workload job) throws IOException, InterruptedException, Refusal {
        if (job.kind().restart() && job.object().path("status").has("startTime")) {
            ObjectNode changed = job.object().deepCopy();
            changed.withObject("/status").remove("startTime");
            calls.put(job.path() + "/status", changed);
        }
    }

    private static void suspend(WorkloadKind kind, ObjectNode object, boolean suspended) {
        int last = kind.suspend().lastIndexOf('/');
        object.withObject(kind.suspend().substring(0, last)).put(kind.suspend().substring(last + 1), suspended);
    }

    /** Writes the mark into {@code changed}. Returns true if the job says the same already. */
    private boolean mark(Action action, Workload job, Placement there, ObjectNode changed) {
        if (isMarked(job, action, there)) {
            return true;
        }
        Mark mark = new Mark(action.revision(), there, clock.instant());
        changed.withObject("/metadata/annotations").put(Workload.MARK, mark.text());
        return false;
    }

    private static boolean isMarked(Workload job, Action action, Placement there) {
        return job.mark()
                .filter(mark ->
                        mark.revision() == action.revision() && mark.placement().equals(there))
                .isPresent();
    }

    private Outcome.Asked asked(Step step, Duration wait, String detail) {
        return new Outcome.Asked(step, wait.plus(settings.patience()), detail);
    }
}
