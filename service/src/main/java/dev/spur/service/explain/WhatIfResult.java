package dev.spur.service.explain;

import dev.spur.model.round.PendingJob;
import dev.spur.model.round.SolutionQuality;
import dev.spur.service.plan.PlanChange;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Plans with and without the changes.
 *
 * @param revision revision of the current plan at that time; 0 if there was none
 * @param baseline quality of the plan for the current state
 * @param changed quality of the plan for the changed state
 * @param changes differences from the baseline to the changed plan
 * @param waiting jobs that wait in the changed plan
 * @param preparations the same for data preparations; null if there are none
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

    /** This result without the jobs that must not be shown. */
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
