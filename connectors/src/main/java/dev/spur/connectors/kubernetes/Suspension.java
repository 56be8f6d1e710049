package dev.spur.connectors.kubernetes;

import dev.spur.connectors.Action;
import dev.spur.connectors.Mark;
import dev.spur.connectors.Outcome;
import dev.spur.connectors.Placement;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import java.io.IOException;
import tools.jackson.databind.node.ObjectNode;

/** Jobs that are held by suspending them: they have no pods then, and their size and their place may change. */
final class Suspension implements Lever {
    private final Desk desk;

    Suspension(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Outcome hold(Action action, Workload job) throws IOException, InterruptedException, Refusal {
        ObjectNode changed = job.object().deepCopy();
        boolean marked = desk.mark(action, job, Placement.NONE, changed);
        if (job.isSuspended() && marked) {
            return desk.holding("it is suspended");
        }
        suspend(job.kind(), changed, true);
        Workload now = desk.put(job, changed);
        return now.isSuspended() && Desk.isMarked(now, action, Placement.NONE)
                ? desk.holding("it was suspended")
                : new Outcome.Unchanged("job %s was suspended, and is%s suspended and marked \"%s\""
                        .formatted(
                                job.id(),
                                now.isSuspended() ? "" : " not",
                                now.mark().map(Mark::text).orElse("")));
    }

    @Override
    public Outcome run(Action action, Workload job, PlatformJob seen)
            throws IOException, InterruptedException, Refusal {
        Placement there = action.placement();
        if (!job.isSuspended()
                && seen.state() == State.WAITING
                && Desk.isMarked(job, action, there)
                && isTied(job, there)) {
            // it was released just before a crash, and its pods are on their way
            return desk.starting("it was released");
        }
        if (!job.isSuspended() || seen.state() != State.HELD) {
            return hold(action, job);
        }
        Fitting fitting = new Fitting(job, desk.hosts());
        fitting.check(there);
        forgetStart(job);
        Workload fresh = desk.again(job);
        ObjectNode changed = new Fitting(fresh, desk.hosts()).fitted(there);
        desk.mark(action, fresh, there, changed);
        Workload fitted = desk.put(job, changed);
        if (!isTied(fitted, there) || !Desk.isMarked(fitted, action, there)) {
            return new Outcome.Unchanged(
                    "job %s was given %s, and is not tied to it and marked so".formatted(job.id(), there.slots()));
        }
        return release(fitted);
    }

    private boolean isTied(Workload job, Placement there) throws IOException, InterruptedException, Refusal {
        return desk.reader().pinned(job, job.shape()).equals(there);
    }

    private Outcome release(Workload job) throws IOException, InterruptedException, Refusal {
        ObjectNode released = job.object().deepCopy();
        suspend(job.kind(), released, false);
        return desk.put(job, released).isSuspended()
                ? new Outcome.Unchanged("job %s was released and is still suspended".formatted(job.id()))
                : desk.starting("it was released");
    }

    /**
     * Takes off when a suspended batch Job was started: its template may be changed only while it has no start time. Its controller
     * sets it anew.
     */
    private void forgetStart(Workload job) throws IOException, InterruptedException, Refusal {
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
