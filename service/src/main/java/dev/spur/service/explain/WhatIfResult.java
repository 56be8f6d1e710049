package dev.spur.service.explain;

import dev.spur.model.round.PendingJob;
import dev.spur.model.round.SolutionQuality;
import dev.spur.service.plan.PlanChange;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What would be planned with and without changes.
 *
 * @param revision revision of the current plan at that time; 0 if there was none
 * @param baseline proof of a plan for the state as it is
 * @param changed proof of a plan for the changed state
 * @param changes from the plan of the baseline to that of the changed state
 * @param waiting the jobs that would wait
 * @param preparations the same of jobs that prepare data; null if there are none
 */
record WhatIfResult(
        long revision,
        SolutionQuality baseline,
        SolutionQuality changed,
        List<PlanChange> changes,
        List<PendingJob> waiting,
        @Nullable WhatIfPreparations preparations) {
    WhatIfResult {
        changes = List.copyOf(changes);
        waiting = List.copyOf(waiting);
    }

    /** This result with nothing of the jobs that are not to be shown. */
    WhatIfResult only(Predicate<String> shown) {
        return new WhatIfResult(
                revision,
                baseline,
                changed,
                changes.stream().filter(change -> shown.test(change.jobId())).toList(),
                waiting.stream().filter(pending -> shown.test(pending.jobId())).toList(),
                preparations == null ? null : preparations.only(shown));
    }
}
