package dev.spur.model.validation;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.Job;
import dev.spur.model.round.ChangeKind;
import dev.spur.model.round.PlannedJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Whether every job that could stay where it is can do so together with all others. */
final class KeepAllFeasibility {
    private KeepAllFeasibility() {}

    static boolean isPossible(ProblemIndex facts) {
        List<PlannedJob> staying = new ArrayList<>();
        for (Job job : facts.problem.jobs()) {
            Allocation held = job.allocation();
            if (held != null && (facts.mustStay(job) || facts.mayStay(job))) {
                staying.add(new PlannedJob(job.id(), held, ChangeKind.KEEP, 0, 0, ""));
            }
        }
        List<Violation> violations = new ArrayList<>();
        new QuotaCheck(facts.problem, facts, staying, violations).run();
        new GroupCheck(facts, staying, violations).run();
        new CapacityCheck(facts, staying, violations).hostsAreNotOversubscribed();
        return violations.isEmpty() && aggregationSuffices(facts, staying);
    }

    /** Aggregation of jobs that may be moved leaves closed nodes, so only open ones count. */
    private static boolean aggregationSuffices(ProblemIndex facts, List<PlannedJob> staying) {
        Map<String, Long> needed = new HashMap<>();
        for (PlannedJob planned : staying) {
            if (!facts.mustStay(facts.job(planned.jobId()))) {
                var configuration = planned.allocation().configuration();
                needed.merge(configuration.pool(), configuration.aggregationThousandths(), Long::sum);
            }
        }
        return needed.entrySet().stream().allMatch(entry -> entry.getValue() <= facts.openAggregation(entry.getKey()));
    }
}
