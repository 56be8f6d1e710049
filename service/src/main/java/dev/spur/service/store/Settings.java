package dev.spur.service.store;

import dev.spur.model.Checks;
import dev.spur.model.round.RoundSettings;

/**
 * How rounds are planned and how often.
 *
 * @param planning how they are planned
 * @param roundSeconds time from the start of a round to the start of the next one
 * @param earlyRoundSeconds least time to the next one when something important changed
 */
public record Settings(RoundSettings planning, double roundSeconds, double earlyRoundSeconds) {
    /** The settings of a new installation. */
    public static final Settings DEFAULT = new Settings(RoundSettings.DEFAULT, 60, 2);

    public Settings {
        Checks.positive("roundSeconds", roundSeconds);
        Checks.positive("earlyRoundSeconds", earlyRoundSeconds);
    }
}
