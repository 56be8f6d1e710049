package dev.spur.service.store;

import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.StepTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a round ended.
 *
 * @param status its status
 * @param planRevision the plan that it published or confirmed; null if none
 * @param plan the plan that it made; null if none
 * @param dropped entries that were not published
 * @param error why it failed; null if it did not
 * @param snapshotAt the time that it planned for, seconds since 1970; null if it had no snapshot
 * @param problem the problem; null if it had none
 * @param steps the steps with their times
 */
public record RoundOutcome(
        RoundStatus status,
        @Nullable Long planRevision,
        @Nullable RoundPlan plan,
        List<DroppedEntry> dropped,
        @Nullable String error,
        @Nullable Double snapshotAt,
        @Nullable StoredSnapshot problem,
        List<StepTime> steps) {
    public RoundOutcome {
        dropped = List.copyOf(dropped);
        steps = List.copyOf(steps);
    }
}
