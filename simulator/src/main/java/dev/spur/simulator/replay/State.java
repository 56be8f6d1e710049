package dev.spur.simulator.replay;

import dev.spur.model.Checks;
import dev.spur.model.round.RoundProblem;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.solver.policy.Decision;
import java.util.List;

/**
 * State from which a replay continues. Times are seconds on the clock of the problem.
 *
 * @param problem problem of the last round
 * @param decision decision of that round
 * @param jobs remaining work of each job of the problem, with the ids of the problem; progress starts at 0 at the time
 *     of the problem
 * @param arrivingJobs jobs that arrive later
 * @param awaitedJobs jobs that arrive later and whose simulated times are reported like those of the problem
 */
public record State(
        RoundProblem problem,
        Decision decision,
        List<TraceJob> jobs,
        List<TraceJob> arrivingJobs,
        List<TraceJob> awaitedJobs) {
    public State {
        jobs = Checks.copy(jobs);
        arrivingJobs = Checks.copy(arrivingJobs);
        awaitedJobs = Checks.copy(awaitedJobs);
        Checks.require(
                jobs.size() == problem.jobs().size(),
                "the state describes %s jobs, but its problem has %s",
                jobs.size(),
                problem.jobs().size());
    }

    /** Creates a state without awaited jobs. */
    public State(RoundProblem problem, Decision decision, List<TraceJob> jobs, List<TraceJob> arrivingJobs) {
        this(problem, decision, jobs, arrivingJobs, List.of());
    }
}
