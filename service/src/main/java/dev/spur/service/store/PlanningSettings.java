package dev.spur.service.store;

import dev.spur.model.round.RoundSettings;

/**
 * The settings of rounds.
 *
 * @param rounds how they are planned
 * @param pace how often they run
 */
record PlanningSettings(RoundSettings rounds, RoundPace pace) {
    static final PlanningSettings DEFAULT = new PlanningSettings(RoundSettings.DEFAULT, RoundPace.DEFAULT);
}
