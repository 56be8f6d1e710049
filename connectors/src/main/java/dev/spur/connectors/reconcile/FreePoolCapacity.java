package dev.spur.connectors.reconcile;

import dev.spur.connectors.JobAction;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.LastAppliedState;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.reconcile.DesiredState.DesiredJob;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Free capacity by pool, for platforms that choose the nodes. Free slots can be too fragmented for a job although the
 * plan has a node for it. Jobs that run on other nodes than planned are then stopped, each at most once per plan. The
 * largest job starts first.
 */
final class FreePoolCapacity implements FreeCapacity {
    private final PlatformObservation observed;
    private final DesiredState plan;
    private final Predicate<JobAction> mayStop;
    private final Map<String, JobPlacement> expected = new HashMap<>();
    /**
     * Pools in which a job waits for slots of stopped jobs. No smaller job starts there, because it would fragment the
     * released slots.
     */
    private final Set<String> retained = new HashSet<>();

    private final NodeSelectionModel fitting;

    /**
     * Creates the free capacity of an observation.
     *
     * @param observed observed state, by node
     * @param plan desired state, by node
     * @param mayStop whether a job may be stopped for defragmentation
     */
    FreePoolCapacity(PlatformObservation observed, DesiredState plan, Predicate<JobAction> mayStop) {
        this.observed = observed;
        this.plan = plan;
        this.mayStop = mayStop;
        this.fitting = new NodeSelectionModel(observed.nodes());
        for (PlatformJob job : observed.jobs().values()) {
            if (job.state() == State.WAITING
                    && job.mark().filter(LastAppliedState::runs).isPresent()) {
                JobPlacement found =
                        fitting.find(pool(job.pinned()), job.pinned().total()).orElse(JobPlacement.NONE);
                expected.put(job.id(), found);
                fitting.take(found, JobPlacement.NONE);
            }
        }
    }

    private static String pool(JobPlacement placement) {
        return placement.isNowhere() ? "" : placement.slots().firstKey();
    }

    @Override
    public List<JobAction> inOrder(List<JobAction> actions) {
        return actions.stream()
                .sorted(Comparator.comparing(JobAction::kind)
                        .thenComparing(action -> -action.placement().total()))
                .toList();
    }

    @Override
    public boolean has(JobAction action, PlatformJob job) {
        String pool = pool(action.placement());
        if (action.placement().slots().size() != 1 || retained.contains(pool)) {
            return false;
        }
        NodeSelectionModel extended = fitting.with(List.of(currentPlacement(job)));
        if (extended.find(pool, action.placement().total()).isPresent()) {
            return true;
        }
        List<JobPlacement> excluded =
                displacedJobs(action).stream().map(PlatformJob::held).toList();
        if (extended.with(excluded).find(pool, action.placement().total()).isPresent()) {
            retained.add(pool);
        }
        return false;
    }

    private JobPlacement currentPlacement(PlatformJob job) {
        return observed.job(job.id())
                .map(PlatformJob::held)
                .filter(held -> !held.isNowhere())
                .orElse(expected.getOrDefault(job.id(), JobPlacement.NONE));
    }

    @Override
    public void reserve(JobAction action, PlatformJob job) {
        JobPlacement own = currentPlacement(job);
        fitting.with(List.of(own))
                .find(pool(action.placement()), action.placement().total())
                .ifPresent(found -> fitting.take(found, own));
    }

    @Override
    public boolean fitsAll(Collection<JobAction> blocked, PlatformObservation shown) {
        NodeSelectionModel extended = fitting.with(blocked.stream()
                .map(action -> currentPlacement(shown.of(action)))
                .toList());
        for (JobAction action : inOrder(List.copyOf(blocked))) {
            Optional<JobPlacement> found =
                    extended.find(pool(action.placement()), action.placement().total());
            if (found.isEmpty()) {
                return false;
            }
            extended.take(found.get(), JobPlacement.NONE);
        }
        return true;
    }

    @Override
    public Optional<JobAction> stopForDefragmentation(List<JobAction> blocked, PlatformObservation shown) {
        return FreeCapacity.super
                .stopForDefragmentation(blocked, shown)
                .or(() -> inOrder(blocked).stream()
                        .filter(action -> action.kind().runs() && retained.contains(pool(action.placement())))
                        .findFirst()
                        .flatMap(action -> displacedJobs(action).stream()
                                .map(job -> JobAction.stop(action.revision(), job.id()))
                                .findFirst()));
    }

    /**
     * Returns the jobs in the pool of {@code action} that run at their planned size on other nodes. Jobs on its planned
     * nodes come first.
     */
    private List<PlatformJob> displacedJobs(JobAction action) {
        JobPlacement place = plannedPlacement(action.job());
        return observed.jobs().values().stream()
                .filter(job -> job.state() == State.RUNNING
                        && job.mark().filter(LastAppliedState::runs).isPresent()
                        && job.pool().equals(pool(action.placement()))
                        && job.held().total() == plannedPlacement(job.id()).total()
                        && !job.held().equals(plannedPlacement(job.id()))
                        && mayStop.test(JobAction.stop(action.revision(), job.id())))
                .sorted(Comparator.comparing(job -> -overlap(job.held(), place)))
                .toList();
    }

    private JobPlacement plannedPlacement(String job) {
        return plan.wants().get(job) instanceof DesiredJob.Run run ? run.placement() : JobPlacement.NONE;
    }

    private static int overlap(JobPlacement one, JobPlacement other) {
        return one.slots().keySet().stream().mapToInt(other::on).sum();
    }
}
