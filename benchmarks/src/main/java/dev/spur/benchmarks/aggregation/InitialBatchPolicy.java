package dev.spur.benchmarks.aggregation;

import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;

/**
 * Policy that restricts each job to its initial batch size.
 *
 * @param policy makes all other decisions
 */
public record InitialBatchPolicy(Policy policy) implements Policy {
    @Override
    public String name() {
        return policy.name() + "-initial-batch";
    }

    @Override
    public Decision decide(RoundProblem problem) {
        return policy.decide(of(problem));
    }

    /** Returns the same instance without batch size tuning. */
    static RoundProblem of(RoundProblem problem) {
        return problem.withJobs(
                problem.jobs().stream().map(InitialBatchPolicy::withFixed).toList());
    }

    private static Job withFixed(Job job) {
        BatchLimits one = job.spec().batch().onlyInitial();
        return job.withSpec(job.spec().edit().batch(one).build());
    }
}
