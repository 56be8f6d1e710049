package dev.spur.model.round;

import dev.spur.model.Checks;
import java.util.List;

/**
 * The decisions of a round on preparations, made after those on training jobs.
 *
 * @param running the running preparations, by id
 * @param waiting the waiting preparations, by queue position among preparations
 * @param quality solution quality given the decisions on training jobs; objective value and bound are those of the
 *     preparations
 */
public record PreparationPlan(List<PlannedPreparation> running, List<PendingJob> waiting, SolutionQuality quality) {
    public PreparationPlan {
        running = Checks.copy(running);
        waiting = Checks.copy(waiting);
    }
}
