package dev.spur.connectors.kubernetes;

import dev.spur.connectors.JobAction;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.LastAppliedState;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.StepOutcome;
import java.io.IOException;
import tools.jackson.databind.node.ObjectNode;

/**
 * Suspension strategy for jobs with a suspend switch. A suspended job has no pods, and its size and placement may
 * change.
 */
final class Suspension implements SuspensionStrategy {
    private final WorkloadPatcher patcher;

    Suspension(WorkloadPatcher patcher) {
        this.patcher = patcher;
    }

    @Override
    public StepOutcome hold(JobAction action, Workload job)
            throws IOException, InterruptedException, KubernetesRejection {
        ObjectNode changed = job.object().deepCopy();
        boolean marked = patcher.mark(action, job, JobPlacement.NONE, changed);
        if (job.isSuspended() && marked) {
            return patcher.holding("it is suspended");
        }
        suspend(job.kind(), changed, true);
        Workload now = patcher.put(job, changed);
        return now.isSuspended() && WorkloadPatcher.isMarked(now, action, JobPlacement.NONE)
                ? patcher.holding("it was suspended")
                : new StepOutcome.Unchanged("job %s was suspended but is%s suspended, with state \"%s\""
                        .formatted(
                                job.id(),
                                now.isSuspended() ? "" : " not",
                                now.mark().map(LastAppliedState::text).orElse("")));
    }

    @Override
    public StepOutcome run(JobAction action, Workload job, PlatformJob observed)
            throws IOException, InterruptedException, KubernetesRejection {
        JobPlacement there = action.placement();
        if (!job.isSuspended()
                && observed.state() == State.WAITING
                && WorkloadPatcher.isMarked(job, action, there)
                && isTied(job, there)) {
            // the job was released just before a crash, and its pods are being created
            return patcher.starting("it was released");
        }
        if (!job.isSuspended() || observed.state() != State.HELD) {
            return hold(action, job);
        }
        PlacementApplier fitting = new PlacementApplier(job, patcher.hosts());
        fitting.check(there);
        removeStartTime(job);
        Workload fresh = patcher.reload(job);
        ObjectNode changed = new PlacementApplier(fresh, patcher.hosts()).apply(there);
        patcher.mark(action, fresh, there, changed);
        Workload fitted = patcher.put(job, changed);
        if (!isTied(fitted, there) || !WorkloadPatcher.isMarked(fitted, action, there)) {
            return new StepOutcome.Unchanged(
                    "job %s was given placement %s but does not show it".formatted(job.id(), there.slots()));
        }
        return release(fitted);
    }

    private boolean isTied(Workload job, JobPlacement there)
            throws IOException, InterruptedException, KubernetesRejection {
        return patcher.reader().nextPlacement(job, job.shape()).equals(there);
    }

    private StepOutcome release(Workload job) throws IOException, InterruptedException, KubernetesRejection {
        ObjectNode released = job.object().deepCopy();
        suspend(job.kind(), released, false);
        return patcher.put(job, released).isSuspended()
                ? new StepOutcome.Unchanged("job %s was released but is still suspended".formatted(job.id()))
                : patcher.starting("it was released");
    }

    /**
     * Removes the start time of a suspended batch Job, because its template can change only without one. The Job
     * controller sets it again.
     */
    private void removeStartTime(Workload job) throws IOException, InterruptedException, KubernetesRejection {
        if (job.kind().restart() && job.object().path("status").has("startTime")) {
            ObjectNode changed = job.object().deepCopy();
            changed.withObject("/status").remove("startTime");
            patcher.calls().put(job.path() + "/status", changed);
        }
    }

    private static void suspend(WorkloadKind kind, ObjectNode object, boolean suspended) {
        int last = kind.suspend().lastIndexOf('/');
        object.withObject(kind.suspend().substring(0, last)).put(kind.suspend().substring(last + 1), suspended);
    }
}
