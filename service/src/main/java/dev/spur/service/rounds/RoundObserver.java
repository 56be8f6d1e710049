package dev.spur.service.rounds;

import dev.spur.service.plans.RoundOutcome;
import dev.spur.service.plans.StateSnapshot;
import org.jspecify.annotations.Nullable;

/** Listener for rounds, which the leader alone calls. Implementations must return quickly and must not throw. */
@FunctionalInterface
public interface RoundObserver {
    /** Called before a round begins. */
    default void begins() {}

    /** Called when a round has ended. */
    void onEnd(RoundReport report);

    /** Called when no round runs any more, whether it ended or failed to begin. */
    default void onIdle() {}

    /**
     * Report of a round.
     *
     * @param number its number; 0 if it failed to begin
     * @param snapshot its snapshot; null if it read none
     */
    public record RoundReport(
            long number, String trigger, @Nullable StateSnapshot snapshot, RoundOutcome outcome) {}
}
