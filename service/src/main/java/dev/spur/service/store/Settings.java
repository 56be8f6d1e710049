package dev.spur.service.store;

import dev.spur.model.Checks;
import dev.spur.model.round.RoundSettings;
import java.util.Objects;

/**
 * How rounds are planned and how often.
 *
 * @param planning how they are planned
 * @param roundSeconds time from the start of a round to the start of the next one
 * @param earlyRoundSeconds least time to the next one when something important changed
 * @param approval true if plans wait for an operator; settings that were stored without it have false
 */
public record Settings(RoundSettings planning, double roundSeconds, double earlyRoundSeconds, Boolean approval) {
    /** The settings of a new installation. */
    public static final Settings DEFAULT = new Settings(RoundSettings.DEFAULT, 60, 2, false);

    public Settings {
        Checks.positive("roundSeconds", roundSeconds);
        Checks.positive("earlyRoundSeconds", earlyRoundSeconds);
        approval = Objects.requireNonNullElse(approval, false);
    }
}
