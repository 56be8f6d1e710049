package dev.spur.simulator.replay;

import dev.spur.model.Checks;
import java.util.List;

/**
 * A trace replayed under a policy. Equal inputs give equal replays, except for the seconds that decisions took.
 *
 * @param policy name of the policy
 * @param trace name of the trace
 * @param slots slots of the cluster
 * @param jobs what became of each job, by arrival
 * @param refused ids of jobs that the empty cluster could never hold; they were left out
 * @param rounds each decision, in order of time
 * @param stays who held what, in the order in which it ended
 * @param judged decisions that the judge has looked at; all of them were found right
 */
public record Replay(
        String policy,
        String trace,
        int slots,
        List<JobOutcome> jobs,
        List<String> refused,
        List<RoundSample> rounds,
        List<AllocationInterval> stays,
        int judged) {
    public Replay {
        jobs = Checks.copy(jobs);
        refused = Checks.copy(refused);
        rounds = Checks.copy(rounds);
        stays = Checks.copy(stays);
    }
}
