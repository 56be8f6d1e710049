package dev.spur.simulator.replay;

import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Simulator of the future of a state, which estimates the times of its jobs. Rounds follow events, and their spacing
 * grows with the distance from the state. The plan validator does not check the decisions.
 */
public final class RolloutSimulator {
    /**
     * Number of pauses without an event after which the policy decides again, for policies whose decisions depend on
     * time alone.
     */
    private static final int QUIET_PAUSES = 10;

    private final State state;
    private final SimulatedCluster world;
    private final List<ActiveJob> present;
    /** Awaited jobs that have arrived, by id. */
    private final Map<String, ActiveJob> come = new HashMap<>();

    private final Policy policy;
    private final RoundSpacing pauses;
    private final double until;
    private int rounds;

    private RolloutSimulator(State state, Policy policy, ReplaySettings settings, RoundSpacing pauses, double until) {
        this.state = state;
        this.policy = policy;
        this.pauses = pauses;
        this.until = until;
        List<TraceJob> arrivals = Stream.concat(state.arrivals().stream(), state.awaited().stream())
                .sorted(Comparator.comparingDouble(TraceJob::arrival).thenComparing(TraceJob::id))
                .toList();
        this.world = new SimulatedCluster(ClusterConfig.of(state.problem()), arrivals, settings);
        this.present = present(state);
        Set<String> awaited = state.awaited().stream().map(TraceJob::id).collect(Collectors.toSet());
        world.onArrival(job -> {
            if (awaited.contains(job.id())) {
                come.put(job.id(), job);
            }
        });
    }

    /**
     * Replays from {@code state} up to {@code until}, or until every job of the state has ended.
     *
     * @param settings settings of the replay, without the times of rounds
     * @param pauses spacing of the rounds
     * @param mayContinue condition before each round; the replay is cut when it returns false
     */
    public static Rollout replay(
            State state,
            Policy policy,
            ReplaySettings settings,
            RoundSpacing pauses,
            double until,
            BooleanSupplier mayContinue) {
        return new RolloutSimulator(state, policy, settings, pauses, until).run(mayContinue);
    }

    private static List<ActiveJob> present(State state) {
        RoundProblem problem = state.problem();
        Map<String, Job> jobs = problem.jobs().stream().collect(Collectors.toMap(Job::id, Function.identity()));
        List<ActiveJob> present = new ArrayList<>();
        for (TraceJob source : state.jobs()) {
            Job job = jobs.get(source.id());
            if (job == null) {
                throw new IllegalArgumentException("job %s of the state is not in the problem".formatted(source.id()));
            }
            present.add(ActiveJob.resume(source, job, problem.now()));
        }
        return present;
    }

    private Rollout run(BooleanSupplier mayContinue) {
        double begin = state.problem().now();
        world.beginWith(present, state.problem().memory(), begin);
        world.apply(state.decision(), begin);
        double now = begin;
        while (!allEnded()) {
            double next = next(begin, now);
            if (next > until) {
                world.passUntil(until);
                now = until;
                break;
            }
            if (!mayContinue.getAsBoolean()) {
                break;
            }
            world.passUntil(next);
            now = next;
            if (world.hasJobs()) {
                rounds++;
                world.apply(policy.decide(world.problem(now)), now);
            }
        }
        return toRollout(now);
    }

    private double next(double begin, double now) {
        double pause = pauses.after(now - begin);
        double event = world.nextEvent();
        double idleSeconds = policy.changesOnlyWithEvents() ? Double.POSITIVE_INFINITY : now + QUIET_PAUSES * pause;
        return pauses.onGrid(Math.max(now + pause, Math.min(event, idleSeconds)));
    }

    private boolean allEnded() {
        return present.stream().allMatch(job -> job.times().ended() != null)
                && state.awaited().stream().allMatch(job -> times(job).ended() != null);
    }

    private SimulatedTimes times(TraceJob awaited) {
        ActiveJob job = come.get(awaited.id());
        return job == null ? new SimulatedTimes(null, null) : job.times();
    }

    private Rollout toRollout(double now) {
        Map<String, SimulatedTimes> timesById = new HashMap<>();
        present.forEach(job -> timesById.put(job.id(), job.times()));
        state.awaited().forEach(job -> timesById.put(job.id(), times(job)));
        return new Rollout(timesById, allEnded() ? Double.POSITIVE_INFINITY : now, rounds);
    }
}
