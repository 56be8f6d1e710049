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
        List<PlannedJob> stayingJobs = new ArrayList<>();
        for (Job job : index.problem.jobs()) {
            Allocation heldAllocation = job.allocation();
            if (heldAllocation != null && (index.mustStay(job) || index.mayStay(job))) {
                stayingJobs.add(new PlannedJob(job.id(), heldAllocation, ChangeKind.KEEP, 0, 0, ""));
            }
        }
        List<Violation> violations = new ArrayList<>();
        new QuotaCheck(index.problem, index, stayingJobs, violations).run();
        new GroupCheck(index, stayingJobs, violations).run();
        new CapacityCheck(index, stayingJobs, violations).hostsAreNotOversubscribed();
        return violations.isEmpty() && aggregationSuffices(index, stayingJobs);
    }

    /** Aggregation of preemptible jobs leaves unavailable nodes, so that only available nodes count. */
    private static boolean aggregationSuffices(ProblemIndex index, List<PlannedJob> stayingJobs) {
        Map<String, Long> needed = new HashMap<>();
        for (PlannedJob planned : stayingJobs) {
            if (!index.mustStay(index.job(planned.jobId()))) {
                var configuration = planned.allocation().configuration();
                needed.merge(configuration.pool(), configuration.aggregationThousandths(), Long::sum);
            }
        }
        return needed.entrySet().stream()
                .allMatch(entry -> entry.getValue() <= index.availableAggregation(entry.getKey()));
    }
}
