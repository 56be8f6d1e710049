package dev.spur.service.round;

import dev.spur.service.round.history.RoundOutcome;
import dev.spur.service.snapshot.StateSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * Report of a round.
 *
 * @param number its number; 0 if it failed to begin
 * @param snapshot its snapshot; null if it read none
 */
public record RoundReport(
        long number, String trigger, @Nullable StateSnapshot snapshot, RoundOutcome outcome) {}
