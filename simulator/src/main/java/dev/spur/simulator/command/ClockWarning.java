package dev.spur.simulator.command;

import dev.spur.simulator.replay.ReplaySettings;
import dev.spur.simulator.report.Summary;
import java.util.Locale;
import java.util.Optional;

/** Warning that a replay may differ on another machine. */
final class ClockWarning {
    private ClockWarning() {}

    /** Returns the warning; empty if only deterministic work limited the decisions. */
    static Optional<String> of(Summary row, ReplaySettings settings) {
        if (!settings.mayBeCutByClock(row.maxDecisionSeconds())) {
            return Optional.empty();
        }
        return Optional.of(String.format(
                Locale.ROOT,
                "%s: the longest decision took %.1f s, and the clock allows %.0f s: it may have cut some, so that another run may"
                        + " differ.",
                row.policy(),
                row.maxDecisionSeconds(),
                settings.settings().budget().wallSeconds()));
    }
}
