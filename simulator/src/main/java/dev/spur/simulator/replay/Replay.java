package dev.spur.simulator.replay;

import dev.spur.model.Checks;
import java.util.List;

/**
 * Result of the replay of a trace under a policy. Equal inputs give equal results, except for the seconds that
 * decisions took.
 *
 * @param policy name of the policy
 * @param trace name of the trace
 * @param slots slots of the cluster
 * @param jobs outcomes of the jobs, by arrival
 * @param rejected ids of jobs that the empty cluster could never hold; they were skipped
 * @param rounds all decisions, in order of time
 * @param allocationIntervals allocation intervals of all jobs, in the order of their ends
 * @param validated number of decisions that the plan validator checked; all of them were valid
 */
public record Replay(
        String policy,
        String trace,
        int slots,
        List<JobOutcome> jobs,
        List<String> rejected,
        List<RoundSample> rounds,
        List<AllocationInterval> allocationIntervals,
        int validated) {
    public Replay {
        jobs = Checks.copy(jobs);
        rejected = Checks.copy(rejected);
        rounds = Checks.copy(rounds);
        allocationIntervals = Checks.copy(allocationIntervals);
    }
}
