package dev.spur.model.round;

import dev.spur.model.Checks;
import dev.spur.model.job.Promise;
import java.util.List;
import java.util.Map;

/**
 * What a round decides.
 *
 * @param running the jobs that run, by id
 * @param waiting the jobs that wait, by position
 * @param promises what this round says of deadlines, by job id: every job that has one
 * @param proof how good the plan is known to be
 * @param figures what the solve did
 * @param memory what the next round should remember
 */
public record RoundPlan(
        List<PlannedJob> running,
        List<Deferral> waiting,
        Map<String, Promise> promises,
        Proof proof,
        SolveFigures figures,
        RoundMemory memory) {
    public RoundPlan {
        running = Checks.copy(running);
        waiting = Checks.copy(waiting);
        promises = Checks.copy(promises);
    }
}
