package dev.spur.model.validation;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
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
        List<PlannedJob> withoutAggregators = stayingJobs.stream()
                .map(planned -> withoutMovable(index, planned))
                .toList();
        new CapacityCheck(index, withoutAggregators, violations).hostsAreNotOversubscribed();
        return violations.isEmpty() && aggregationSuffices(index, stayingJobs);
    }

    /** Aggregators of jobs that are not pinned can move. */
    private static PlannedJob withoutMovable(ProblemIndex index, PlannedJob planned) {
        Allocation allocation = planned.allocation();
        return index.mustStay(index.job(planned.jobId()))
                ? planned
                : new PlannedJob(
                        planned.jobId(),
                        new Allocation(
                                allocation.configuration(), allocation.placement(), List.of(), allocation.since()),
                        ChangeKind.KEEP,
                        0,
                        0,
                        "");
    }

    /** Aggregation of preemptible jobs leaves unavailable nodes, so that only available nodes count. */
    private static boolean aggregationSuffices(ProblemIndex index, List<PlannedJob> stayingJobs) {
        Map<String, NodeAggregators> needed = new HashMap<>();
        Map<String, Double> cpusOfSlots = new HashMap<>();
        for (PlannedJob planned : stayingJobs) {
            Job job = index.job(planned.jobId());
            Configuration configuration = planned.allocation().configuration();
            double perSlot = SlotHost.of(job.spec(), planned.allocation()).cpusPerSlot();
            planned.allocation()
                    .placement()
                    .forEach(share -> cpusOfSlots.merge(share.node(), share.slots() * perSlot, Double::sum));
            if (!index.mustStay(job)) {
                Allocation movable =
                        new Allocation(configuration, planned.allocation().placement(), List.of(), 0);
                needed.computeIfAbsent(configuration.pool(), pool -> new NodeAggregators())
                        .add(configuration.aggregationSlots(), SharedAggregation.of(index, job, movable));
            }
        }
        return needed.entrySet().stream()
                .allMatch(entry -> entry.getValue().cpus()
                        <= index.availableAggregation(entry.getKey(), cpusOfSlots) / 1000.0 + 1e-9);
    }
}
