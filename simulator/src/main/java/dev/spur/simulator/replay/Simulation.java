package dev.spur.simulator.replay;

import dev.spur.model.round.RoundProblem;
import dev.spur.model.validation.AllocationsCheck;
import dev.spur.model.validation.Violation;
import dev.spur.simulator.trace.Trace;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Replay in progress: schedules, decides and validates the rounds. {@link SimulatedCluster} simulates the time between
 * rounds.
 */
final class Simulation {
    private final SimulatedCluster cluster;
    private final Policy policy;
    private final ReplaySettings settings;
    private final ProgressListener progress;
    private final String name;
    private final List<RoundSample> rounds = new ArrayList<>();
    private double lastRound = Double.NEGATIVE_INFINITY;
    private double lastLife;
    private int validated;

    Simulation(Trace trace, ClusterConfig cluster, Policy policy, ReplaySettings settings, ProgressListener progress) {
        this.name = trace.name();
        this.policy = policy;
        this.settings = settings;
        this.progress = progress;
        this.cluster = new SimulatedCluster(cluster, trace.jobs(), settings);
    }

    Replay run() {
        while (!cluster.isOver()) {
            double next = nextRound();
            if (Double.isInfinite(next)) {
                break;
            }
            if (next > settings.endSeconds()) {
                cluster.passUntil(settings.endSeconds());
                break;
            }
            boolean lived = cluster.passUntil(next);
            lastRound = next;
            if (cluster.hasJobs() && (cluster.hasChanges() || !policy.changesOnlyWithEvents())) {
                decide(next);
            }
            if (lived || cluster.isRunning()) {
                lastLife = next;
            } else if (next - lastLife > settings.stallSeconds() && !cluster.expectsMore()) {
                break;
            }
            progress.at(next, cluster.endedJobs(), cluster.jobs());
        }
        return new Replay(
                policy.name(),
                name,
                cluster.slots(),
                cluster.outcomes(),
                cluster.rejectedJobs(),
                rounds,
                cluster.allocationIntervals(),
                validated);
    }

    /** Returns the time of the next round; infinite if no event can follow. */
    private double nextRound() {
        boolean somethingIsNew = cluster.hasChanges() && cluster.hasJobs();
        boolean timeCounts = !policy.changesOnlyWithEvents() && cluster.hasJobs();
        double event = somethingIsNew ? lastRound : cluster.nextEvent();
        if (settings.earlySeconds() == null) {
            return onGrid(timeCounts ? lastRound : event);
        }
        double early = Math.max(event, lastRound + settings.earlySeconds());
        return timeCounts ? Math.min(early, lastRound + settings.roundSeconds()) : early;
    }

    /** Returns the first multiple of the round interval that is at or after {@code time} and after the last round. */
    private double onGrid(double time) {
        if (Double.isInfinite(time) && time > 0) {
            return time;
        }
        double round = settings.roundSeconds();
        double last = Math.rint(lastRound / round);
        return Math.max(Math.ceil(Math.max(0, time) / round), last + 1) * round;
    }

    private void decide(double now) {
        RoundProblem problem = cluster.problem(now);
        long before = System.nanoTime();
        Decision decision = policy.decide(problem);
        double seconds = (System.nanoTime() - before) / 1e9;
        if (rounds.size() % settings.checkEvery() == 0) {
            validate(problem, decision);
        }
        int used = cluster.apply(decision, now);
        int running = cluster.running();
        OptionalDouble gap = decision.gap();
        rounds.add(new RoundSample(
                now,
                running,
                problem.jobs().size() - running,
                used,
                seconds,
                gap.isPresent() ? Double.valueOf(gap.getAsDouble()) : null));
    }

    private void validate(RoundProblem problem, Decision decision) {
        validated++;
        List<Violation> violations = AllocationsCheck.violations(problem, decision.allocations());
        if (!violations.isEmpty()) {
            Violation first = violations.get(0);
            throw new ReplayFailure(
                    "The plan validator rejects the decision of %s at %s s: %s (%s), and %d more violations"
                            .formatted(
                                    policy.name(),
                                    problem.now(),
                                    first.message(),
                                    first.rule(),
                                    violations.size() - 1));
        }
    }
}
