package dev.spur.service.cluster;

import dev.spur.model.Checks;
import dev.spur.model.round.RoundSettings;
import java.util.Objects;

/**
 * Settings of rounds.
 *
 * @param roundSeconds time from the start of a round to the start of the next one
 * @param earlyRoundSeconds minimum time to the next round after an important change
 * @param approval true if plans require the approval of an operator; false for settings stored without it
 */
public record Settings(RoundSettings planning, double roundSeconds, double earlyRoundSeconds, Boolean approval) {
    /** Settings of a new installation. */
    public static final Settings DEFAULT = new Settings(RoundSettings.DEFAULT, 60, 2, false);

    public Settings {
        Checks.positive("roundSeconds", roundSeconds);
        Checks.positive("earlyRoundSeconds", earlyRoundSeconds);
        approval = Objects.requireNonNullElse(approval, false);
    }
}
