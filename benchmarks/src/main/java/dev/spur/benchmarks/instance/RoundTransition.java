package dev.spur.benchmarks.instance;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.job.ServiceHistory;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Advances a generated instance from one round to the next. */
public final class RoundTransition {
    /** Time between two rounds. */
    private static final int PERIOD_SECONDS = 60;

    private RoundTransition() {}

    /**
     * Returns the instance {@code seconds} after {@code plan} was made for {@code problem}. Running jobs have
     * progressed by their goodput. {@code jobs} replaces the jobs that the plan does not run; they wait.
     */
    public static RoundProblem later(RoundProblem problem, RoundPlan plan, double seconds, List<Job> jobs) {
        Map<String, PlannedJob> running = new HashMap<>();
        plan.running().forEach(planned -> running.put(planned.jobId(), planned));
        List<Job> next = new ArrayList<>();
        for (Job job : jobs) {
            @Nullable PlannedJob planned = running.get(job.id());
            next.add(planned == null ? waiting(job, problem.now()) : advanced(job, planned, seconds));
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
                problem.groups(),
                next,
                plan.memory());
    }

    /**
     * Returns the next round, {@value #PERIOD_SECONDS} seconds after {@code plan} was made for {@code problem}. One job
     * in forty has ended, a running one if there is one. Each ended job is replaced by a new one with the specification
     * of another job. All other jobs have progressed.
     */
    public static RoundProblem next(RoundProblem problem, RoundPlan plan, long seed) {
        Random random = new Random(seed);
        RoundProblem moved = later(problem, plan, PERIOD_SECONDS, problem.jobs());
        int changes = Math.max(1, problem.jobs().size() / 40);
        List<Job> ends = new ArrayList<>(moved.jobs());
        Collections.shuffle(ends, random);
        ends.sort(Comparator.comparing(job -> job.allocation() == null));
        Set<Job> gone = Collections.newSetFromMap(new IdentityHashMap<>());
        gone.addAll(ends.subList(0, changes));
        List<Job> jobs = new ArrayList<>();
        moved.jobs().stream().filter(job -> !gone.contains(job)).forEach(jobs::add);
        for (int i = 0; i < changes; i++) {
            Job like = problem.jobs().get(random.nextInt(problem.jobs().size()));
            double arrival = problem.now() + random.nextDouble() * PERIOD_SECONDS;
            jobs.add(arrived("next-%s-%d".formatted(problem.now(), i), like, arrival));
        }
        return moved.withJobs(jobs);
    }

    private static Job arrived(String id, Job like, double arrival) {
        double work = like.spec().totalSamples();
        return new Job(
                id,
                like.tenant(),
                arrival,
                like.spec(),
                work,
                null,
                DeadlineStatus.NONE,
                ServiceHistory.arrived(arrival),
                null);
    }

    /** Returns a stopped job as a waiting job without an allocation. */
    private static Job waiting(Job job, double now) {
        if (job.allocation() == null) {
            return job;
        }
        ServiceHistory before = job.history();
        ServiceHistory history = new ServiceHistory(
                before.attainedService(), before.runSeconds(), before.restarts(), before.firstStart(), now);
        return new Job(
                job.id(),
                job.tenant(),
                job.arrival(),
                job.spec(),
                job.remainingSamples(),
                job.deadline(),
                job.deadlineStatus(),
                history,
                null);
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
                job.id(),
                job.tenant(),
                job.arrival(),
                job.spec(),
                left,
                job.deadline(),
                job.deadlineStatus(),
                history,
                given);
    }
}
