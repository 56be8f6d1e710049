package dev.spur.connectors.kubernetes;

import dev.spur.connectors.JobAction;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.LastAppliedState;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.StepOutcome;
import java.io.IOException;
import tools.jackson.databind.node.ObjectNode;

/** Jobs that are held by suspending them: they have no pods then, and their size and their place may change. */
final class Suspension implements SuspensionStrategy {
    private final WorkloadPatcher desk;

    Suspension(WorkloadPatcher desk) {
        this.desk = desk;
    }

    @Override
    public StepOutcome hold(JobAction action, Workload job)
            throws IOException, InterruptedException, KubernetesRejection {
        ObjectNode changed = job.object().deepCopy();
        boolean marked = desk.mark(action, job, JobPlacement.NONE, changed);
        if (job.isSuspended() && marked) {
            return desk.holding("it is suspended");
        }
        suspend(job.kind(), changed, true);
        Workload now = desk.put(job, changed);
        return now.isSuspended() && WorkloadPatcher.isMarked(now, action, JobPlacement.NONE)
                ? desk.holding("it was suspended")
                : new StepOutcome.Unchanged("job %s was suspended, and is%s suspended and marked \"%s\""
                        .formatted(
                                job.id(),
                                now.isSuspended() ? "" : " not",
                                now.mark().map(LastAppliedState::text).orElse("")));
    }

    @Override
    public StepOutcome run(JobAction action, Workload job, PlatformJob seen)
            throws IOException, InterruptedException, KubernetesRejection {
        JobPlacement there = action.placement();
        if (!job.isSuspended()
                && seen.state() == State.WAITING
                && WorkloadPatcher.isMarked(job, action, there)
                && isTied(job, there)) {
            // it was released just before a crash, and its pods are on their way
            return desk.starting("it was released");
        }
        if (!job.isSuspended() || seen.state() != State.HELD) {
            return hold(action, job);
        }
        PlacementApplier fitting = new PlacementApplier(job, desk.hosts());
        fitting.check(there);
        forgetStart(job);
        Workload fresh = desk.again(job);
        ObjectNode changed = new PlacementApplier(fresh, desk.hosts()).fitted(there);
        desk.mark(action, fresh, there, changed);
        Workload fitted = desk.put(job, changed);
        if (!isTied(fitted, there) || !WorkloadPatcher.isMarked(fitted, action, there)) {
            return new StepOutcome.Unchanged(
                    "job %s was given %s, and is not tied to it and marked so".formatted(job.id(), there.slots()));
        }
        return release(fitted);
    }

    private boolean isTied(Workload job, JobPlacement there)
            throws IOException, InterruptedException, KubernetesRejection {
        return desk.reader().pinned(job, job.shape()).equals(there);
    }

    private StepOutcome release(Workload job) throws IOException, InterruptedException, KubernetesRejection {
        ObjectNode released = job.object().deepCopy();
        suspend(job.kind(), released, false);
        return desk.put(job, released).isSuspended()
                ? new StepOutcome.Unchanged("job %s was released and is still suspended".formatted(job.id()))
                : desk.starting("it was released");
    }

    /**
     * Takes off when a suspended batch Job was started: its template may be changed only while it has no start time.
     * Its controller sets it anew.
     */
    private void forgetStart(Workload job) throws IOException, InterruptedException, KubernetesRejection {
        if (job.kind().restart() && job.object().path("status").has("startTime")) {
            ObjectNode changed = job.object().deepCopy();
            changed.withObject("/status").remove("startTime");
            desk.calls().put(job.path() + "/status", changed);
        }
    }

    private static void suspend(WorkloadKind kind, ObjectNode object, boolean suspended) {
        int last = kind.suspend().lastIndexOf('/');
        object.withObject(kind.suspend().substring(0, last)).put(kind.suspend().substring(last + 1), suspended);
    }
}
