package dev.spur.simulator.replay;

import dev.spur.model.Checks;
import dev.spur.model.round.RoundProblem;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.solver.policy.Decision;
import java.util.List;

/**
 * A state from which a replay goes on. Times are seconds on the clock of the problem.
 *
 * @param problem what a round saw
 * @param decision what it decided
 * @param jobs what is true of what each job of the problem has left, under the ids of the problem; progress counts from
 *     the moment of the problem
 * @param arrivals jobs that will come
 * @param awaited jobs that will come and whose fates are told like those of the problem
 */
public record State(
        RoundProblem problem, Decision decision, List<TraceJob> jobs, List<TraceJob> arrivals, List<TraceJob> awaited) {
    public State {
        jobs = Checks.copy(jobs);
        arrivals = Checks.copy(arrivals);
        awaited = Checks.copy(awaited);
        Checks.require(
                jobs.size() == problem.jobs().size(),
                "%s jobs are described, but the problem has %s",
                jobs.size(),
                problem.jobs().size());
    }

    /** A state in which nobody is awaited. */
    public State(RoundProblem problem, Decision decision, List<TraceJob> jobs, List<TraceJob> arrivals) {
        this(problem, decision, jobs, arrivals, List.of());
    }
}
