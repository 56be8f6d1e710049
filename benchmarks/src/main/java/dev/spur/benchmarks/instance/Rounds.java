package dev.spur.benchmarks.instance;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.Job;
import dev.spur.model.job.ServiceHistory;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Lets time pass between two rounds of a generated problem. */
public final class Rounds {
    private Rounds() {}

    /**
     * The problem {@code seconds} after {@code plan} was made for {@code problem}, with {@code jobs} in place of the jobs
     * that the plan does not run: those that run have moved on by their goodput, the others wait.
     */
    public static RoundProblem later(RoundProblem problem, RoundPlan plan, double seconds, List<Job> jobs) {
        Map<String, PlannedJob> running = new HashMap<>();
        plan.running().forEach(planned -> running.put(planned.jobId(), planned));
        List<Job> next = new ArrayList<>();
        for (Job job : jobs) {
            @Nullable PlannedJob planned = running.get(job.id());
            next.add(planned == null ? job : advanced(job, planned, seconds));
        }
        return new RoundProblem(
                problem.format(),
                problem.now() + seconds,
                problem.settings(),
                problem.acceleratorTypes(),
                problem.pools(),
                problem.nodes(),
                problem.reservations(),
                problem.tenants(),
                next,
                plan.memory());
    }

    private static Job advanced(Job job, PlannedJob planned, double seconds) {
        Allocation given = planned.allocation();
        double restart = given.since() == job.arrival() ? 0 : job.spec().restartPenaltySeconds();
        double done = planned.goodput() * Math.max(0, seconds - restart);
        ServiceHistory before = job.history();
        ServiceHistory history = new ServiceHistory(
                before.attainedService() + seconds * given.configuration().slots(),
                before.runSeconds() + seconds,
                before.restarts(),
                before.firstStart() == null ? Double.valueOf(given.since()) : before.firstStart(),
                before.waitingSince());
        double left = Math.max(job.spec().totalSamples() * 0.01, job.remainingSamples() - done);
        return new Job(
                job.id(), job.tenant(), job.arrival(), job.spec(), left, job.deadline(), job.promise(), history, given);
    }
}
