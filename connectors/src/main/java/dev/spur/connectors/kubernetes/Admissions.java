package dev.spur.connectors.kubernetes;

import dev.spur.connectors.JobAction;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.LastAppliedState;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.StepOutcome;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Jobs in queues of Kueue whose ClusterQueue has a check of Spur. Kueue suspends and resumes them; it resumes one when
 * it has quota and Spur's check is passed, and evicts it when the check is to be tried again. With the check goes the
 * node for its pods.
 */
final class Admissions implements SuspensionStrategy {
    private final WorkloadPatcher desk;

    Admissions(WorkloadPatcher desk) {
        this.desk = desk;
    }

    @Override
    public StepOutcome hold(JobAction action, Workload job)
            throws IOException, InterruptedException, KubernetesRejection {
        Workload now = mark(action, job, JobPlacement.NONE);
        if (!WorkloadPatcher.isMarked(now, action, JobPlacement.NONE)) {
            return new StepOutcome.Unchanged(
                    "job %s was marked, and the mark does not stand there".formatted(job.id()));
        }
        Admission admission = admission(now);
        if (!admission.isReady()) {
            return desk.holding("Kueue waits for its check");
        }
        put(
                now,
                admission.with(
                        Admission.RETRY,
                        "the plan does not want it to run",
                        "",
                        desk.clock().instant()));
        return admission(desk.again(now)).isReady()
                ? new StepOutcome.Unchanged("the check of job %s was taken back, and is passed".formatted(job.id()))
                : desk.holding("Kueue was told to evict it");
    }

    @Override
    public StepOutcome run(JobAction action, Workload job, PlatformJob seen)
            throws IOException, InterruptedException, KubernetesRejection {
        JobPlacement there = action.placement();
        if (seen.state() == State.WAITING && WorkloadPatcher.isMarked(job, action, there)) {
            return desk.starting("Kueue lets it go when it has quota");
        }
        if (!job.isSuspended() || seen.state() != State.HELD) {
            return hold(action, job);
        }
        if (there.slots().size() > 1) {
            throw new KubernetesRejection(
                    "Kueue passes on one node for all pods of a job, and not %s".formatted(there.slots()));
        }
        if (there.total() != job.shape().slots()) {
            throw new KubernetesRejection("with a check of Kueue its size of %d cannot change"
                    .formatted(job.shape().slots()));
        }
        desk.hosts().hostOf(there.slots().firstKey());
        Workload now = mark(action, job, there);
        return WorkloadPatcher.isMarked(now, action, there)
                ? desk.starting("its check is passed when Kueue has quota for it")
                : new StepOutcome.Unchanged("job %s was marked, and the mark does not stand there".formatted(job.id()));
    }

    private Workload mark(JobAction action, Workload job, JobPlacement there)
            throws IOException, InterruptedException, KubernetesRejection {
        ObjectNode changed = job.object().deepCopy();
        return desk.mark(action, job, there, changed) ? job : desk.put(job, changed);
    }

    /** Passes the check of a job that is to run, once Kueue has quota for it. */
    @Override
    public List<String> enforce(Workload job) throws IOException, InterruptedException, KubernetesRejection {
        Optional<LastAppliedState> mark = job.mark().filter(LastAppliedState::runs);
        Admission admission = admission(job);
        if (mark.isEmpty() || !job.isSuspended() || !admission.isAsked()) {
            return List.of();
        }
        String node = mark.get().placement().slots().firstKey();
        NodeHostnames hosts = desk.hosts();
        if (hosts.slots(node) == 0) {
            return List.of();
        }
        String host = hosts.hostOf(node);
        String words = "plan %d: node %s".formatted(mark.get().revision(), node);
        put(job, admission.with(Admission.READY, words, host, desk.clock().instant()));
        Workload now = desk.again(job);
        boolean passed = now.admission().filter(one -> !one.isAsked()).isPresent();
        return passed ? List.of() : List.of("the check of job %s was passed, and is not".formatted(job.id()));
    }

    private void put(Workload job, ObjectNode workload) throws IOException, InterruptedException, KubernetesRejection {
        desk.calls().put(admission(job).path() + "/status", workload);
    }

    private static Admission admission(Workload job) throws IOException {
        return job.admission().orElseThrow(() -> new IOException("Kueue has nothing of job " + job.id()));
    }
}
