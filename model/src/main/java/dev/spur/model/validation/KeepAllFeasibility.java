package dev.spur.model.validation;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.Job;
import dev.spur.model.round.ChangeKind;
import dev.spur.model.round.PlannedJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Whether all jobs that could keep their allocation can do so at the same time. */
final class KeepAllFeasibility {
    private KeepAllFeasibility() {}

    static boolean isPossible(ProblemIndex index) {
        List<PlannedJob> staying = new ArrayList<>();
        for (Job job : index.problem.jobs()) {
            Allocation held = job.allocation();
            if (held != null && (index.mustStay(job) || index.mayStay(job))) {
                staying.add(new PlannedJob(job.id(), held, ChangeKind.KEEP, 0, 0, ""));
            }
        }
        List<Violation> violations = new ArrayList<>();
        new QuotaCheck(index.problem, index, staying, violations).run();
        new GroupCheck(index, staying, violations).run();
        new CapacityCheck(index, staying, violations).hostsAreNotOversubscribed();
        return violations.isEmpty() && aggregationSuffices(index, staying);
    }

    /** Aggregation of preemptible jobs leaves unavailable nodes, so that only available nodes count. */
    private static boolean aggregationSuffices(ProblemIndex index, List<PlannedJob> staying) {
        Map<String, Long> needed = new HashMap<>();
        for (PlannedJob planned : staying) {
            if (!index.mustStay(index.job(planned.jobId()))) {
                var configuration = planned.allocation().configuration();
                needed.merge(configuration.pool(), configuration.aggregationThousandths(), Long::sum);
            }
        }
        return needed.entrySet().stream()
                .allMatch(entry -> entry.getValue() <= index.availableAggregation(entry.getKey()));
    }
}
