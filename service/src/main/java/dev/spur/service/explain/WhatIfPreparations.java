package dev.spur.service.explain;

import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PlannedPreparation;
import dev.spur.model.round.PreparationPlan;
import dev.spur.model.round.SolutionQuality;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Plans for data preparations with and without the changes.
 *
 * @param baseline quality of the plan for the current state; null if it has no preparations
 * @param changed quality of the plan for the changed state; null if it has no preparations
 * @param running preparations that the changed plan runs
 * @param changes differences from the baseline to the changed plan
 * @param waiting preparations that wait in the changed plan
 */
record WhatIfPreparations(
        @Nullable SolutionQuality baseline,
        @Nullable SolutionQuality changed,
        List<PlannedPreparation> running,
        List<PreparationChange> changes,
        List<PendingJob> waiting) {
    WhatIfPreparations {
        running = List.copyOf(running);
        changes = List.copyOf(changes);
        waiting = List.copyOf(waiting);
    }

    /** Compares two plans; null if neither has preparations. */
    static @Nullable WhatIfPreparations between(@Nullable PreparationPlan before, @Nullable PreparationPlan after) {
        return before == null && after == null
                ? null
                : new WhatIfPreparations(
                        before == null ? null : before.quality(),
                        after == null ? null : after.quality(),
                        after == null ? List.of() : after.running(),
                        PreparationChange.between(before, after),
                        after == null ? List.of() : after.waiting());
    }

    /** This result without the preparations that must not be shown. */
    WhatIfPreparations only(Predicate<String> shown) {
        return new WhatIfPreparations(
                baseline,
                changed,
                running.stream().filter(planned -> shown.test(planned.jobId())).toList(),
                changes.stream().filter(change -> shown.test(change.jobId())).toList(),
                waiting.stream().filter(pending -> shown.test(pending.jobId())).toList());
    }
}
