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
 * Suspension strategy for jobs whose Kueue ClusterQueue has an admission check of Spur. Kueue resumes a job when quota
 * is reserved and the check is Ready, and evicts it when the check is set to Retry. The check also carries the node for
 * the pods.
 */
final class Admissions implements SuspensionStrategy {
    private final WorkloadPatcher patcher;

    Admissions(WorkloadPatcher patcher) {
        this.patcher = patcher;
    }

    @Override
    public StepOutcome hold(JobAction action, Workload job)
            throws IOException, InterruptedException, KubernetesRejection {
        Workload now = mark(action, job, JobPlacement.NONE);
        if (!WorkloadPatcher.isMarked(now, action, JobPlacement.NONE)) {
            return new StepOutcome.Unchanged("job %s: the state that Spur wrote is not visible".formatted(job.id()));
        }
        Admission admission = admission(now);
        if (!admission.isReady()) {
            return patcher.holding("Kueue waits for its admission check");
        }
        put(
                now,
                admission.with(
                        Admission.RETRY,
                        "the plan does not run this job",
                        "",
                        null,
                        patcher.clock().instant()));
        return admission(patcher.reload(now)).isReady()
                ? new StepOutcome.Unchanged(
                        "the admission check of job %s was withdrawn but is still Ready".formatted(job.id()))
                : patcher.holding("Kueue was requested to evict it");
    }

    @Override
    public StepOutcome run(JobAction action, Workload job, PlatformJob observed)
            throws IOException, InterruptedException, KubernetesRejection {
        JobPlacement there = action.placement();
        if (observed.state() == State.WAITING && WorkloadPatcher.isMarked(job, action, there)) {
            return patcher.starting("Kueue admits it when quota is available");
        }
        if (!job.isSuspended() || observed.state() != State.HELD) {
            return hold(action, job);
        }
        if (there.slots().size() > 1) {
            throw new KubernetesRejection(
                    "Kueue passes a single node for all pods of a job, not %s".formatted(there.slots()));
        }
        if (there.total() != job.shape().slots()) {
            throw new KubernetesRejection("its size of %d cannot change under an admission check of Kueue"
                    .formatted(job.shape().slots()));
        }
        patcher.hosts().check(there.slots().firstKey(), job.shape());
        Workload now = mark(action, job, there);
        return WorkloadPatcher.isMarked(now, action, there)
                ? patcher.starting("its admission check becomes Ready when Kueue has reserved quota")
                : new StepOutcome.Unchanged("job %s: the state that Spur wrote is not visible".formatted(job.id()));
    }

    private Workload mark(JobAction action, Workload job, JobPlacement there)
            throws IOException, InterruptedException, KubernetesRejection {
        ObjectNode changed = job.object().deepCopy();
        return patcher.mark(action, job, there, changed) ? job : patcher.put(job, changed);
    }

    /** Sets the check of a job that is to run to Ready once Kueue has reserved quota. */
    @Override
    public List<String> enforce(Workload job) throws IOException, InterruptedException, KubernetesRejection {
        Optional<LastAppliedState> mark = job.mark().filter(LastAppliedState::runs);
        Admission admission = admission(job);
        if (mark.isEmpty() || !job.isSuspended() || !admission.isPending()) {
            return List.of();
        }
        JobPlacement there = mark.get().placement();
        String node = there.slots().firstKey();
        NodeHostnames hosts = patcher.hosts();
        if (hosts.slots(node) == 0) {
            return List.of();
        }
        String host = hosts.hostOf(node);
        String text = "revision %d: node %s".formatted(mark.get().revision(), node);
        put(
                job,
                admission.with(
                        Admission.READY,
                        text,
                        host,
                        there.batch(),
                        patcher.clock().instant()));
        Workload now = patcher.reload(job);
        boolean passed = now.admission().filter(one -> !one.isPending()).isPresent();
        return passed
                ? List.of()
                : List.of("the admission check of job %s was set to Ready but is not Ready".formatted(job.id()));
    }

    private void put(Workload job, ObjectNode workload) throws IOException, InterruptedException, KubernetesRejection {
        patcher.calls().put(admission(job).path() + "/status", workload);
    }

    private static Admission admission(Workload job) throws IOException {
        return job.admission().orElseThrow(() -> new IOException("Kueue has no Workload for job " + job.id()));
    }
}
