package dev.spur.service.plans;

import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.StepTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Outcome of a round.
 *
 * @param status final status of the round
 * @param planRevision revision of the plan that it published or confirmed; null if none
 * @param plan plan that it made; null if none
 * @param dropped entries that were not published
 * @param error reason of the failure; null if it did not fail
 * @param snapshotAt time that it planned for, in seconds since 1970; null if it had no snapshot
 * @param problem input of the round; null if it had none
 * @param steps steps with their times
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

    /** An outcome without the facts that the round adds when it ends. */
    public static RoundOutcome of(
            RoundStatus status, @Nullable Long planRevision, List<DroppedEntry> dropped, @Nullable String error) {
        return new RoundOutcome(status, planRevision, null, dropped, error, null, null, List.of());
    }
}
