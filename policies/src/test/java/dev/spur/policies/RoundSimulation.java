package dev.spur.policies;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.Job;
import dev.spur.model.job.ServiceHistory;
import dev.spur.model.round.NodeLossHandling;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.utility.Goodput;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Lets decisions happen, round by round: a replay for tests, without failures, and without mercy for restarts. */
public final class RoundSimulation {
    private RoundSimulation() {}

    /** The problem {@code seconds} after {@code decision} for {@code problem}, without the jobs that have ended. */
    public static RoundProblem next(RoundProblem problem, Decision decision, double seconds) {
        List<Job> jobs = problem.jobs().stream()
                .map(job -> after(job, decision.allocations().get(job.id()), problem.now(), seconds))
                .filter(job -> job.remainingSamples() > 0)
                .toList();
        return NodeLossHandling.stopJobs(new RoundProblem(
                        problem.format(),
                        problem.now() + seconds,
                        problem.settings(),
                        problem.acceleratorTypes(),
                        problem.pools(),
                        problem.nodes(),
                        problem.reservations(),
                        problem.tenants(),
                        problem.groups(),
                        jobs,
                        decision.memory())
                .withMaintenance(problem.maintenance()));
    }

    /** Runs {@code policy} for {@code rounds} rounds; returns when each job ended, by id. */
    public static Map<String, Double> ends(Policy policy, RoundProblem first, int rounds, double seconds) {
        Map<String, Double> ends = new HashMap<>();
        RoundProblem problem = first;
        for (int i = 0; i < rounds; i++) {
            problem = next(problem, policy.decide(problem), seconds);
            double now = problem.now();
            List<String> left = problem.jobs().stream().map(Job::id).toList();
            first.jobs().stream()
                    .map(Job::id)
                    .filter(id -> !left.contains(id))
                    .forEach(id -> ends.putIfAbsent(id, now));
        }
        return ends;
    }

    private static Job after(Job job, @Nullable Allocation allocation, double now, double seconds) {
        Allocation heldAllocation = job.allocation();
        boolean backfill = allocation != null && heldAllocation != null && allocation.sameRunAs(heldAllocation);
        double lost = backfill ? 0 : Math.min(seconds, job.spec().restartPenaltySeconds());
        double done = allocation == null ? 0 : Goodput.of(job.spec(), allocation.configuration()) * (seconds - lost);
        ServiceHistory had = job.history();
        int slots = allocation == null ? 0 : allocation.configuration().slots();
        boolean restarts = allocation != null && !backfill && had.firstStart() != null;
        boolean stops = allocation == null && heldAllocation != null;
        ServiceHistory history = new ServiceHistory(
                had.attainedService() + slots * seconds,
                had.runSeconds() + (allocation == null ? 0 : seconds),
                had.restarts() + (restarts ? 1 : 0),
                allocation == null ? had.firstStart() : Objects.requireNonNullElse(had.firstStart(), now),
                stops ? now : had.waitingSince(),
                backfill ? had.unservedSince() : job.unservedSinceAfter(now),
                0);
        return new Job(
                job.id(),
                job.tenant(),
                job.arrival(),
                job.spec(),
                Math.max(0, job.remainingSamples() - done),
                job.deadline(),
                job.deadlineStatus(),
                history,
                allocation);
    }
}
