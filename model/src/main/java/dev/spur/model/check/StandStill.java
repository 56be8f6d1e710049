package dev.spur.model.check;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.Job;
import dev.spur.model.round.ChangeKind;
import dev.spur.model.round.PlannedJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Whether every job that could stay where it is can do so together with all others. */
final class StandStill {
    private StandStill() {}

    static boolean isPossible(Facts facts) {
        List<PlannedJob> staying = new ArrayList<>();
        for (Job job : facts.problem.jobs()) {
            Allocation held = job.allocation();
            if (held != null && (facts.mustStay(job) || facts.mayStay(job))) {
                staying.add(new PlannedJob(job.id(), held, ChangeKind.KEEP, 0, 0, ""));
            }
        }
        List<Violation> violations = new ArrayList<>();
        new QuotaCheck(facts.problem, facts, staying, violations).run();
        new CapacityCheck(facts, staying, violations).hostsAreNotOversubscribed();
        return violations.isEmpty() && aggregationSuffices(facts, staying);
    }

    /** Aggregation leaves closed nodes, so only open ones count; what belongs to untouchable jobs always has its place. */
    private static boolean aggregationSuffices(Facts facts, List<PlannedJob> staying) {
        Map<String, Long> needed = new HashMap<>();
        Map<String, Long> untouchable = new HashMap<>();
        for (PlannedJob planned : staying) {
            String pool = planned.allocation().configuration().pool();
            long thousandths = planned.allocation().configuration().aggregationThousandths();
            needed.merge(pool, thousandths, Long::sum);
            if (facts.mustStay(facts.job(planned.jobId()))) {
                untouchable.merge(pool, thousandths, Long::sum);
            }
        }
        return needed.entrySet().stream()
                .allMatch(entry -> entry.getValue()
                        <= Math.max(
                                facts.openAggregation(entry.getKey()), untouchable.getOrDefault(entry.getKey(), 0L)));
    }
}
