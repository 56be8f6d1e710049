package dev.spur.connectors.reconcile;

import dev.spur.connectors.ControlLevel;
import dev.spur.connectors.JobAction;
import dev.spur.connectors.JobAction.Kind;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.LastAppliedState;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.reconcile.DesiredState.DesiredJob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Platform-independent comparison of the desired with the observed state. */
final class DesiredStateDiff {
    private DesiredStateDiff() {}

    /** Returns the actions that change the observed into the desired state, in the order in which they may start. */
    static List<JobAction> differences(DesiredState desired, PlatformObservation observed, ControlLevel max) {
        if (max == ControlLevel.PRIORITIZE) {
            return order(desired, observed);
        }
        List<JobAction> actions = new ArrayList<>();
        desired.wants()
                .forEach((id, want) -> observed.job(id)
                        .filter(job -> !job.state().hasEnded() && job.state() != State.STOPPING && job.isOffered())
                        .flatMap(job -> difference(desired.revision(), job, want))
                        .ifPresent(actions::add));
        actions.sort(Comparator.comparing(JobAction::kind));
        return actions;
    }

    private static Optional<JobAction> difference(long revision, PlatformJob job, DesiredJob want) {
        if (job.state() == State.RUNNING && job.mark().isEmpty()) {
            // a running job that Spur does not control is unmanaged usage
            return Optional.empty();
        }
        if (want instanceof DesiredJob.Run run) {
            return running(job, run.placement())
                    .map(kind -> new JobAction(revision, job.id(), kind, run.placement(), 0));
        }
        if (want instanceof DesiredJob.End) {
            return Optional.of(new JobAction(revision, job.id(), Kind.CANCEL, JobPlacement.NONE, 0));
        }
        return waiting(job).map(kind -> new JobAction(revision, job.id(), kind, JobPlacement.NONE, 0));
    }

    private static Optional<Kind> waiting(PlatformJob job) {
        if (job.state() == State.RUNNING) {
            return Optional.of(Kind.STOP);
        }
        boolean held = job.state() == State.HELD
                && job.mark().isPresent()
                && !job.mark().get().runs();
        return held ? Optional.empty() : Optional.of(Kind.HOLD);
    }

    private static Optional<Kind> running(PlatformJob job, JobPlacement there) {
        if (shows(job, there)) {
            return Optional.empty();
        }
        if (job.state() != State.RUNNING || job.held().equals(there)) {
            // the job already runs with this placement; the action only corrects the last-applied state
            return Optional.of(Kind.START);
        }
        if (there.isWithin(job.held())) {
            return Optional.of(Kind.SHRINK);
        }
        return Optional.of(there.total() > job.held().total() ? Kind.GROW : Kind.MOVE);
    }

    /**
     * Returns true if the job runs with the placement or waits only for the platform, and its last-applied state
     * agrees.
     */
    static boolean shows(PlatformJob job, JobPlacement there) {
        Optional<LastAppliedState> mark = job.mark().filter(LastAppliedState::runs);
        return mark.isPresent()
                && mark.get().placement().equals(there)
                && job.state() != State.HELD
                && job.matches(mark.get());
    }

    /**
     * Permutes the priorities of the waiting jobs into the order of the plan. Jobs of equal priority start in the order
     * of submission; if that is the order of the plan, their priorities stay. Otherwise the later job gets the next
     * lower priority, and so ranks behind unmanaged jobs of the same priority.
     */
    private static List<JobAction> order(DesiredState desired, PlatformObservation observed) {
        List<PlatformJob> waiting = desired.wants().keySet().stream()
                .flatMap(id -> observed.job(id).stream())
                .filter(job -> job.state() == State.WAITING && job.isOffered())
                .toList();
        List<Long> priorities = waiting.stream()
                .map(PlatformJob::priority)
                .sorted(Comparator.reverseOrder())
                .toList();
        List<JobAction> actions = new ArrayList<>();
        long priority = Long.MAX_VALUE;
        for (int place = 0; place < waiting.size(); place++) {
            PlatformJob job = waiting.get(place);
            boolean inOrder = place == 0 || waiting.get(place - 1).submittedAt().isBefore(job.submittedAt());
            priority = Math.max(1, Math.min(priorities.get(place), inOrder ? priority : priority - 1));
            if (job.priority() != priority) {
                actions.add(new JobAction(desired.revision(), job.id(), Kind.ORDER, JobPlacement.NONE, priority));
            }
        }
        return actions;
    }
}
