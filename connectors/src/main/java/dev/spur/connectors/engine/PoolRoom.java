package dev.spur.connectors.engine;

import dev.spur.connectors.Action;
import dev.spur.connectors.Mark;
import dev.spur.connectors.Placement;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.engine.Desired.Want;
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
 * Room by pool, on platforms that choose nodes themselves. Slots that are free in sum may be too scattered for a job, although
 * the plan has a place for each: then jobs that run elsewhere than planned step aside, each at most once for a plan, and the largest
 * starts first.
 */
final class PoolRoom implements Room {
    private final Observation seen;
    private final Desired plan;
    private final Predicate<Action> mayStop;
    private final Map<String, Placement> expected = new HashMap<>();
    /** Pools in which a job waits for others to step aside: smaller ones would only scatter what becomes free. */
    private final Set<String> kept = new HashSet<>();

    private final Fitting fitting;

    /**
     * Room as it is shown.
     *
     * @param seen what was seen, by node
     * @param plan what the plan wants, by node
     * @param mayStop whether a job may be made to step aside
     */
    PoolRoom(Observation seen, Desired plan, Predicate<Action> mayStop) {
        this.seen = seen;
        this.plan = plan;
        this.mayStop = mayStop;
        this.fitting = new Fitting(seen.nodes());
        for (PlatformJob job : seen.jobs().values()) {
            if (job.state() == State.WAITING && job.mark().filter(Mark::runs).isPresent()) {
                Placement there =
                        fitting.find(pool(job.pinned()), job.pinned().total()).orElse(Placement.NONE);
                expected.put(job.id(), there);
                fitting.take(there, Placement.NONE);
            }
        }
    }

    private static String pool(Placement placement) {
        return placement.isNowhere() ? "" : placement.slots().firstKey();
    }

    @Override
    public List<Action> inOrder(List<Action> actions) {
        return actions.stream()
                .sorted(Comparator.comparing(Action::kind)
                        .thenComparing(action -> -action.placement().total()))
                .toList();
    }

    @Override
    public boolean has(Action action, PlatformJob job) {
        String pool = pool(action.placement());
        if (action.placement().slots().size() != 1 || kept.contains(pool)) {
            return false;
        }
        Fitting then = fitting.with(List.of(own(job)));
        if (then.find(pool, action.placement().total()).isPresent()) {
            return true;
        }
        List<Placement> aside =
                displaced(action).stream().map(PlatformJob::held).toList();
        if (then.with(aside).find(pool, action.placement().total()).isPresent()) {
            kept.add(pool);
        }
        return false;
    }

    private Placement own(PlatformJob job) {
        return seen.job(job.id())
                .map(PlatformJob::held)
                .filter(held -> !held.isNowhere())
                .orElse(expected.getOrDefault(job.id(), Placement.NONE));
    }

    @Override
    public void promise(Action action, PlatformJob job) {
        Placement own = own(job);
        fitting.with(List.of(own))
                .find(pool(action.placement()), action.placement().total())
                .ifPresent(there -> fitting.take(there, own));
    }

    @Override
    public boolean hasForAll(Collection<Action> blocked, Observation shown) {
        Fitting then = fitting.with(
                blocked.stream().map(action -> own(shown.of(action))).toList());
        for (Action action : inOrder(List.copyOf(blocked))) {
            Optional<Placement> there =
                    then.find(pool(action.placement()), action.placement().total());
            if (there.isEmpty()) {
                return false;
            }
            then.take(there.get(), Placement.NONE);
        }
        return true;
    }

    @Override
    public Optional<Action> makeWay(List<Action> blocked, Observation shown) {
        return Room.super
                .makeWay(blocked, shown)
                .or(() -> inOrder(blocked).stream()
                        .filter(action -> action.kind().runs() && kept.contains(pool(action.placement())))
                        .findFirst()
                        .flatMap(action -> displaced(action).stream()
                                .map(job -> Action.stop(action.revision(), job.id()))
                                .findFirst()));
    }

    /** Jobs in the pool of {@code action} that run as large as planned and elsewhere; those in its place come first. */
    private List<PlatformJob> displaced(Action action) {
        Placement place = planned(action.job());
        return seen.jobs().values().stream()
                .filter(job -> job.state() == State.RUNNING
                        && job.mark().filter(Mark::runs).isPresent()
                        && job.pool().equals(pool(action.placement()))
                        && job.held().total() == planned(job.id()).total()
                        && !job.held().equals(planned(job.id()))
                        && mayStop.test(Action.stop(action.revision(), job.id())))
                .sorted(Comparator.comparing(job -> -overlap(job.held(), place)))
                .toList();
    }

    private Placement planned(String job) {
        return plan.wants().get(job) instanceof Want.Run run ? run.placement() : Placement.NONE;
    }

    private static int overlap(Placement one, Placement other) {
        return one.slots().keySet().stream().mapToInt(other::on).sum();
    }
}
