package dev.spur.solver.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.job.ServiceHistory;
import dev.spur.model.round.NodeLossHandling;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.utility.Goodput;
import dev.spur.model.validation.PlanCheck;
import dev.spur.model.validation.ProblemCheck;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A cluster that does what plans say, round after round, in time of its own. The judge watches every plan. */
final class ClusterSimulation {
    private final double period;
    private final Map<String, Double> firstStarts = new HashMap<>();
    private final Map<String, Double> ends = new HashMap<>();
    private RoundProblem problem;
    private RoundPlan plan;

    /** @param period seconds from one round to the next */
    ClusterSimulation(RoundProblem startProblem, double period) {
        this.problem = startProblem;
        this.period = period;
    }

    double now() {
        return problem.now();
    }

    /** The job as it is now; it has not ended. */
    Job job(String id) {
        return problem.jobs().stream()
                .filter(job -> job.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError("job %s has ended or never came".formatted(id)));
    }

    List<Job> jobs() {
        return problem.jobs();
    }

    boolean runs(String id) {
        return !hasEnded(id) && job(id).allocation() != null;
    }

    boolean hasEnded(String id) {
        return ends.containsKey(id);
    }

    /** When the job ended, to the second. */
    double end(String id) {
        return ends.get(id);
    }

    /** When the job first got slots, if it has. */
    Double firstStart(String id) {
        return firstStarts.get(id);
    }

    RoundPlan plan() {
        return plan;
    }

    /** A job arrives now. */
    void submit(JobFixture job) {
        List<Job> jobs = new ArrayList<>(problem.jobs());
        jobs.add(job.arrival(now()).build());
        problem = problem.withJobs(jobs);
    }

    void changeNodes(UnaryOperator<Node> change) {
        problem = problem.withNodes(problem.nodes().stream().map(change).toList());
    }

    /** Something happens between two rounds. */
    void change(UnaryOperator<RoundProblem> change) {
        problem = change.apply(problem);
    }

    /** Plans a round, and lets the jobs do what it says until the next one. */
    void round() {
        assertThat(ProblemCheck.violations(problem)).isEmpty();
        plan = Policies.spur().plan(problem);
        assertThat(PlanCheck.violations(problem, plan)).as("plan at %s", now()).isEmpty();
        Map<String, Allocation> allocations = new HashMap<>();
        for (PlannedJob planned : plan.running()) {
            allocations.put(planned.jobId(), planned.allocation());
            firstStarts.putIfAbsent(planned.jobId(), now());
        }
        List<Job> next = new ArrayList<>();
        for (Job job : problem.jobs()) {
            Job after = live(job, allocations.get(job.id()));
            if (after.remainingSamples() > 1e-6) {
                next.add(after);
            }
        }
        problem = NodeLossHandling.stopJobs(new RoundProblem(
                        problem.format(),
                        now() + period,
                        problem.settings(),
                        problem.acceleratorTypes(),
                        problem.pools(),
                        problem.nodes(),
                        problem.reservations(),
                        problem.tenants(),
                        problem.groups(),
                        next,
                        plan.memory())
                .withMaintenance(problem.maintenance()));
    }

    void rounds(int count) {
        for (int i = 0; i < count; i++) {
            round();
        }
    }

    /** The job after one period with {@code allocation}, null if it waits. */
    private Job live(Job job, Allocation allocation) {
        double left = job.remainingSamples();
        if (allocation != null) {
            double goodput = Goodput.of(job.spec(), allocation.configuration());
            double ready =
                    restarts(job, allocation) ? now() + job.spec().restartPenaltySeconds() : readyAt(job, allocation);
            double begin = Math.max(now(), ready);
            left -= goodput * Math.max(0, now() + period - begin);
            if (left <= 1e-6) {
                ends.put(job.id(), begin + job.remainingSamples() / goodput);
            }
        }
        return new Job(
                job.id(),
                job.tenant(),
                job.arrival(),
                job.spec(),
                Math.max(0, left),
                job.deadline(),
                job.deadline() == null
                        ? DeadlineStatus.NONE
                        : plan.deadlineStatuses().get(job.id()),
                history(job, allocation),
                allocation);
    }

    private static boolean restarts(Job job, Allocation allocation) {
        return job.allocation() == null || !allocation.sameRunAs(job.allocation());
    }

    private static double readyAt(Job job, Allocation allocation) {
        return allocation.since() + job.spec().restartPenaltySeconds();
    }

    private ServiceHistory history(Job job, Allocation allocation) {
        ServiceHistory had = job.history();
        int slots = allocation == null ? 0 : allocation.configuration().slots();
        boolean again = allocation != null && restarts(job, allocation) && had.firstStart() != null;
        boolean stopped = allocation == null && job.allocation() != null;
        return new ServiceHistory(
                had.attainedService() + slots * period,
                had.runSeconds() + (allocation == null ? 0 : period),
                had.restarts() + (again ? 1 : 0),
                had.firstStart() == null && allocation != null ? Double.valueOf(now()) : had.firstStart(),
                stopped ? now() : had.waitingSince(),
                allocation == null || restarts(job, allocation) ? job.unservedSinceAfter(now()) : had.unservedSince(),
                0);
    }
}
