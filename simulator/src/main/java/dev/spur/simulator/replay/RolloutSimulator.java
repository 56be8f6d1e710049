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
    private final SimulatedCluster cluster;
    private final List<ActiveJob> presentJobs;
    /** Awaited jobs that have arrived, by id. */
    private final Map<String, ActiveJob> activeJobs = new HashMap<>();

    private final Policy policy;
    private final RoundSpacing spacing;
    private final double until;
    private int rounds;

    private RolloutSimulator(State state, Policy policy, ReplaySettings settings, RoundSpacing spacing, double until) {
        this.state = state;
        this.policy = policy;
        this.spacing = spacing;
        this.until = until;
        List<TraceJob> arrivingJobs = Stream.concat(state.arrivingJobs().stream(), state.awaitedJobs().stream())
                .sorted(Comparator.comparingDouble(TraceJob::arrival).thenComparing(TraceJob::id))
                .toList();
        this.cluster = new SimulatedCluster(ClusterConfig.of(state.problem()), arrivingJobs, settings);
        this.presentJobs = present(state);
        Set<String> awaited = state.awaitedJobs().stream().map(TraceJob::id).collect(Collectors.toSet());
        cluster.onArrival(job -> {
            if (awaited.contains(job.id())) {
                activeJobs.put(job.id(), job);
            }
        });
    }

    /**
     * Replays from {@code state} up to {@code until}, or until every job of the state has ended.
     *
     * @param settings settings of the replay, without the times of rounds
     * @param spacing spacing of the rounds
     * @param mayContinue condition before each round; the replay is cut when it returns false
     */
    public static Rollout replay(
            State state,
            Policy policy,
            ReplaySettings settings,
            RoundSpacing spacing,
            double until,
            BooleanSupplier mayContinue) {
        return new RolloutSimulator(state, policy, settings, spacing, until).run(mayContinue);
    }

    private static List<ActiveJob> present(State state) {
        RoundProblem problem = state.problem();
        Map<String, Job> jobs = problem.jobs().stream().collect(Collectors.toMap(Job::id, Function.identity()));
        List<ActiveJob> presentJobs = new ArrayList<>();
        for (TraceJob sourceJob : state.jobs()) {
            Job job = jobs.get(sourceJob.id());
            if (job == null) {
                throw new IllegalArgumentException(
                        "job %s of the state is not in the problem".formatted(sourceJob.id()));
            }
            presentJobs.add(ActiveJob.resume(sourceJob, job, problem.now()));
        }
        return presentJobs;
    }

    private Rollout run(BooleanSupplier mayContinue) {
        double begin = state.problem().now();
        cluster.beginWith(presentJobs, state.problem().memory(), begin);
        cluster.apply(state.decision(), begin);
        double now = begin;
        while (!allEnded()) {
            double next = next(begin, now);
            if (next > until) {
                cluster.passUntil(until);
                now = until;
                break;
            }
            if (!mayContinue.getAsBoolean()) {
                break;
            }
            cluster.passUntil(next);
            now = next;
            if (cluster.hasJobs()) {
                rounds++;
                cluster.apply(policy.decide(cluster.problem(now)), now);
            }
        }
        return toRollout(now);
    }

    private double next(double begin, double now) {
        double pause = spacing.after(now - begin);
        double event = cluster.hasChanges() && cluster.hasJobs() ? now : cluster.nextEvent();
        double idleSeconds = policy.changesOnlyWithEvents() ? Double.POSITIVE_INFINITY : now + QUIET_PAUSES * pause;
        return spacing.onGrid(Math.max(now + pause, Math.min(event, idleSeconds)));
    }

    private boolean allEnded() {
        return presentJobs.stream().allMatch(job -> job.times().ended() != null)
                && state.awaitedJobs().stream().allMatch(job -> times(job).ended() != null);
    }

    private SimulatedTimes times(TraceJob awaitedJob) {
        ActiveJob job = activeJobs.get(awaitedJob.id());
        return job == null ? new SimulatedTimes(null, null) : job.times();
    }

    private Rollout toRollout(double now) {
        Map<String, SimulatedTimes> timesById = new HashMap<>();
        presentJobs.forEach(job -> timesById.put(job.id(), job.times()));
        state.awaitedJobs().forEach(job -> timesById.put(job.id(), times(job)));
        return new Rollout(timesById, allEnded() ? Double.POSITIVE_INFINITY : now, rounds);
    }
}
