package dev.spur.connectors.kubernetes;

import dev.spur.connectors.Action;
import dev.spur.connectors.Mark;
import dev.spur.connectors.Outcome;
import dev.spur.connectors.Placement;
import dev.spur.connectors.Step;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** What all levers do alike: they find a job as it lies there now, mark it, and look again. */
final class Desk {
    private final KubernetesSettings settings;
    private final Calls calls;
    private final Clock clock;

    Desk(KubernetesClient client, KubernetesSettings settings, Clock clock) {
        this.settings = settings;
        this.calls = new Calls(client);
        this.clock = clock;
    }

    Calls calls() {
        return calls;
    }

    KubernetesSettings settings() {
        return settings;
    }

    Hosts hosts() throws IOException, InterruptedException {
        return new Hosts(calls.list(Contents.NODES), new NodeReader(settings.poolLabel()));
    }

    WorkloadReader reader() throws IOException, InterruptedException {
        return new WorkloadReader(settings.poolLabel(), hosts());
    }

    /** The job with an id as it lies there now; empty if it is gone, or another one has its name. */
    Optional<Workload> find(String id) throws IOException, InterruptedException, Refusal {
        String[] parts = id.split("/", -1);
        if (parts.length != 4) {
            throw new Refusal("this is no id of a job");
        }
        WorkloadKind kind =
                Kinds.find(parts[1]).orElseThrow(() -> new Refusal("there are no jobs of kind " + parts[1]));
        Optional<Workload> found = calls.get(kind.path(parts[0], parts[2]))
                .map(object -> new Workload(kind, object))
                .filter(workload -> workload.id().equals(id));
        return found.isEmpty() ? found : Optional.of(withWhatBelongsToIt(found.get()));
    }

    private Workload withWhatBelongsToIt(Workload found) throws IOException, InterruptedException {
        Workload job = found;
        if (!job.kind().made().isEmpty()) {
            WorkloadKind made = Kinds.find(job.kind().made()).orElseThrow();
            job = job.made(calls.get(made.path(job.namespace(), job.name())));
        }
        return job.isQueued() ? Kueue.read(calls).with(job) : job;
    }

    /** The job once more. */
    Workload again(Workload before) throws IOException, InterruptedException, Refusal {
        return find(before.id()).orElseThrow(() -> new IOException("it is gone"));
    }

    /** Puts the job as it is to be, and reads it again. */
    Workload put(Workload job, ObjectNode changed) throws IOException, InterruptedException, Refusal {
        calls.put(job.path(), changed);
        return again(job);
    }

    /** Writes the mark into {@code changed}. Returns true if the job says the same already. */
    boolean mark(Action action, Workload job, Placement there, ObjectNode changed) {
        if (isMarked(job, action, there)) {
            return true;
        }
        Mark mark = new Mark(action.revision(), there, clock.instant());
        changed.withObject("/metadata/annotations").put(Workload.MARK, mark.text());
        return false;
    }

    static boolean isMarked(Workload job, Action action, Placement there) {
        return job.mark()
                .filter(mark ->
                        mark.revision() == action.revision() && mark.placement().equals(there))
                .isPresent();
    }

    /** Puts the mark of a job right that runs where it is to run already. */
    Outcome confirm(Action action, Workload job) throws IOException, InterruptedException, Refusal {
        ObjectNode changed = job.object().deepCopy();
        boolean marked = mark(action, job, action.placement(), changed);
        if (!marked && !isMarked(put(job, changed), action, action.placement())) {
            return new Outcome.Unchanged("job %s was marked, and the mark does not stand there".formatted(job.id()));
        }
        return starting("it runs there already");
    }

    Outcome.Asked starting(String detail) {
        return asked(Step.STARTING, settings.startWait(), detail);
    }

    Outcome.Asked holding(String detail) {
        return asked(Step.HOLDING, settings.stopWait(), detail);
    }

    Outcome.Asked ending(String detail) {
        return asked(Step.ENDING, settings.stopWait(), detail);
    }

    private Outcome.Asked asked(Step step, Duration wait, String detail) {
        return new Outcome.Asked(step, wait.plus(settings.patience()), detail);
    }

    Clock clock() {
        return clock;
    }
}
