package dev.spur.service.explain;

import dev.spur.model.round.PendingPreparation;
import dev.spur.model.round.PlannedPreparation;
import dev.spur.model.round.PreparationPlan;
import dev.spur.model.round.SolutionQuality;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What would be planned for jobs that prepare data with and without changes.
 *
 * @param baseline proof of a plan for the state as it is; null if there are none then
 * @param changed proof of a plan for the changed state; null if there are none then
 * @param running the preparations that would run
 * @param changes from the plan of the baseline to that of the changed state
 * @param waiting the preparations that would wait
 */
record WhatIfPreparations(
        @Nullable SolutionQuality baseline,
        @Nullable SolutionQuality changed,
        List<PlannedPreparation> running,
        List<PreparationChange> changes,
        List<PendingPreparation> waiting) {
    WhatIfPreparations {
        running = List.copyOf(running);
        changes = List.copyOf(changes);
        waiting = List.copyOf(waiting);
    }

    /** What two plans say; null if there are no preparations in either. */
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

    /** This with nothing of the preparations that are not to be shown. */
    WhatIfPreparations only(Predicate<String> shown) {
        return new WhatIfPreparations(
                baseline,
                changed,
                running.stream()
                        .filter(planned -> shown.test(planned.preparationId()))
                        .toList(),
                changes.stream()
                        .filter(change -> shown.test(change.preparationId()))
                        .toList(),
                waiting.stream()
                        .filter(pending -> shown.test(pending.preparationId()))
                        .toList());
    }
}
