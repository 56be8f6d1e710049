package dev.spur.connectors.kubernetes;

import dev.spur.connectors.JobAction;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.LastAppliedState;
import dev.spur.connectors.Step;
import dev.spur.connectors.StepOutcome;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Operations common to all suspension strategies: find the current object, write the last-applied state, and verify.
 */
final class WorkloadPatcher {
    private final KubernetesSettings settings;
    private final ApiServerClient calls;
    private final Clock clock;

    WorkloadPatcher(KubernetesClient client, KubernetesSettings settings, Clock clock) {
        this.settings = settings;
        this.calls = new ApiServerClient(client);
        this.clock = clock;
    }

    ApiServerClient calls() {
        return calls;
    }

    KubernetesSettings settings() {
        return settings;
    }

    NodeHostnames hosts() throws IOException, InterruptedException {
        return new NodeHostnames(calls.list(ClusterSnapshot.NODES), new KubernetesNodeReader(settings));
    }

    WorkloadReader reader() throws IOException, InterruptedException {
        return new WorkloadReader(settings, hosts());
    }

    /** Returns the current object of a job id; empty if it was deleted or its name was reused. */
    Optional<Workload> find(String id) throws IOException, InterruptedException, KubernetesRejection {
        String[] parts = id.split("/", -1);
        if (parts.length != 4) {
            throw new KubernetesRejection("invalid job id");
        }
        WorkloadKind kind =
                WorkloadKinds.find(parts[1]).orElseThrow(() -> new KubernetesRejection("unknown job kind " + parts[1]));
        Optional<Workload> found = calls.get(kind.path(parts[0], parts[2]))
                .map(object -> new Workload(kind, object))
                .filter(workload -> workload.id().equals(id));
        return found.isEmpty() ? found : Optional.of(withWhatBelongsToIt(found.get()));
    }

    private Workload withWhatBelongsToIt(Workload found) throws IOException, InterruptedException {
        Workload job = found;
        if (!job.kind().made().isEmpty()) {
            WorkloadKind made = WorkloadKinds.find(job.kind().made()).orElseThrow();
            job = job.withControllerObject(calls.get(made.path(job.namespace(), job.name())));
        }
        return job.isQueued() ? Kueue.read(calls).with(job) : job;
    }

    /** Reads the job again. */
    Workload reload(Workload before) throws IOException, InterruptedException, KubernetesRejection {
        return find(before.id()).orElseThrow(() -> new IOException("it does not exist"));
    }

    /** Writes the changed job and reads it again. */
    Workload put(Workload job, ObjectNode changed) throws IOException, InterruptedException, KubernetesRejection {
        calls.put(job.path(), changed);
        return reload(job);
    }

    /** Writes the last-applied state into {@code changed}. Returns true if the job already has it. */
    boolean mark(JobAction action, Workload job, JobPlacement there, ObjectNode changed) {
        if (isMarked(job, action, there)) {
            return true;
        }
        LastAppliedState mark = new LastAppliedState(action.revision(), there, clock.instant());
        changed.withObject("/metadata/annotations").put(Workload.MARK, mark.text());
        return false;
    }

    static boolean isMarked(Workload job, JobAction action, JobPlacement there) {
        return job.mark()
                .filter(mark ->
                        mark.revision() == action.revision() && mark.placement().equals(there))
                .isPresent();
    }

    /** Corrects the last-applied state of a job that already runs with its placement. */
    StepOutcome confirm(JobAction action, Workload job) throws IOException, InterruptedException, KubernetesRejection {
        ObjectNode changed = job.object().deepCopy();
        boolean marked = mark(action, job, action.placement(), changed);
        if (!marked && !isMarked(put(job, changed), action, action.placement())) {
            return new StepOutcome.Unchanged("job %s: the state that Spur wrote is not visible".formatted(job.id()));
        }
        return starting("it already runs with this placement");
    }

    StepOutcome.Accepted starting(String detail) {
        return accept(Step.STARTING, settings.startWait(), detail);
    }

    StepOutcome.Accepted holding(String detail) {
        return accept(Step.HOLDING, settings.stopWait(), detail);
    }

    StepOutcome.Accepted ending(String detail) {
        return accept(Step.ENDING, settings.stopWait(), detail);
    }

    private StepOutcome.Accepted accept(Step step, Duration wait, String detail) {
        return new StepOutcome.Accepted(step, wait.plus(settings.timeout()), detail);
    }

    Clock clock() {
        return clock;
    }
}
