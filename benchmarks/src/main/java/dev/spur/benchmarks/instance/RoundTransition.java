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

/**
 * Transition of a generated instance from one round to the next, as a service makes it: jobs hold the allocations of
 * the last plan, have progressed, and the memory of the plan is kept. Some jobs end, and the same number arrives.
 */
public final class RoundTransition {
    /** Remaining work of a job that has just ended, as a fraction of its work. */
    private static final double ENDED = 0.01;
    /** One in this number of jobs ends in each round. */
    private static final int TURNOVER = 40;

    private final List<Job> population;
    private final double periodSeconds;
    private final Random random;
    private int arrivals;

    /**
     * Creates a transition.
     *
     * @param population jobs whose specifications and tenants the arriving jobs have
     * @param periodSeconds time between two rounds
     * @param seed seed of departures and arrivals
     */
    public RoundTransition(List<Job> population, double periodSeconds, long seed) {
        this.population = List.copyOf(population);
        this.periodSeconds = periodSeconds;
        this.random = new Random(seed);
    }

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
            next.add(
                    planned == null
                            ? job.withoutAllocationSince(problem.now())
                            : advance(job, planned, problem.now(), seconds));
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
     * Returns the round one period after {@code plan} was made for {@code problem}. Jobs whose work is done have ended.
     * If these are fewer than one in forty of all jobs, others have been canceled. As many new jobs have arrived.
     */
    public RoundProblem next(RoundProblem problem, RoundPlan plan) {
        RoundProblem moved = later(problem, plan, periodSeconds, problem.jobs());
        List<Job> departures = new ArrayList<>(moved.jobs());
        Collections.shuffle(departures, random);
        departures.sort(Comparator.comparing(job -> !hasEnded(job)));
        int ended = (int) departures.stream().filter(RoundTransition::hasEnded).count();
        int changes = Math.max(ended, Math.max(1, departures.size() / TURNOVER));
        Set<Job> gone = Collections.newSetFromMap(new IdentityHashMap<>());
        gone.addAll(departures.subList(0, changes));
        List<Job> jobs = new ArrayList<>();
        moved.jobs().stream().filter(job -> !gone.contains(job)).forEach(jobs::add);
        for (int i = 0; i < changes; i++) {
            Job like = population.get(random.nextInt(population.size()));
            jobs.add(arrive("new-" + arrivals++, like, problem.now() + random.nextDouble() * periodSeconds));
        }
        return moved.withJobs(jobs);
    }

    private static boolean hasEnded(Job job) {
        return job.remainingSamples() <= ENDED * job.spec().totalSamples();
    }

    private static Job arrive(String id, Job like, double arrival) {
        double work = like.spec().totalSamples();
        return new Job(
                id,
                like.tenant(),
                arrival,
                like.spec(),
                work,
                null,
                DeadlineStatus.NONE,
                ServiceHistory.ofArrival(arrival),
                null);
    }

    private static Job advance(Job job, PlannedJob planned, double now, double seconds) {
        Allocation held = job.allocation();
        Allocation given = planned.allocation();
        double restart = job.withAllocation(given).restartSecondsLeft(now);
        double done = planned.goodput() * Math.max(0, seconds - restart);
        ServiceHistory before = job.history();
        boolean startsAgain = before.firstStart() != null && (held == null || !given.sameRunAs(held));
        ServiceHistory history = new ServiceHistory(
                before.attainedService() + seconds * given.configuration().slots(),
                before.runSeconds() + seconds,
                before.restarts() + (startsAgain ? 1 : 0),
                before.firstStart() == null ? Double.valueOf(given.since()) : before.firstStart(),
                before.waitingSince(),
                held != null && given.sameRunAs(held) ? before.unservedSince() : job.unservedSinceAfter(now),
                0);
        return new Job(
                job.id(),
                job.tenant(),
                job.arrival(),
                job.spec(),
                Math.max(ENDED * job.spec().totalSamples(), job.remainingSamples() - done),
                job.deadline(),
                job.deadlineStatus(),
                history,
                given);
    }
}
