package dev.spur.service.round;

import dev.spur.service.store.RoundOutcome;
import dev.spur.service.store.StateSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * A round that has ended.
 *
 * @param number its number; 0 if it could not begin
 * @param trigger why it ran
 * @param snapshot what it saw; null if it saw nothing
 * @param outcome how it ended
 */
public record RoundReport(
        long number, String trigger, @Nullable StateSnapshot snapshot, RoundOutcome outcome) {}
