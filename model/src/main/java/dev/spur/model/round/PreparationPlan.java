package dev.spur.model.round;

import dev.spur.model.Checks;
import java.util.List;

/**
 * What a round decides on preparations, once it is decided which training jobs run where.
 *
 * @param running the preparations that run, by id
 * @param waiting the preparations that wait, by position among themselves
 * @param quality how good the decision is known to be, beside just these training jobs; worth and bound are those of
 *     the preparations
 */
public record PreparationPlan(
        List<PlannedPreparation> running, List<PendingPreparation> waiting, SolutionQuality quality) {
    public PreparationPlan {
        running = Checks.copy(running);
        waiting = Checks.copy(waiting);
    }
}
