package dev.spur.simulator.replay;

import dev.spur.model.Checks;
import java.util.Map;

/**
 * How things may go on from a state.
 *
 * @param fates by id of each job of the state
 * @param reached up to when they were followed, seconds on the clock of the problem: the end that was asked for, or
 *     earlier if the replay was cut; infinite if every job of the state has ended
 * @param rounds decisions that it took
 */
public record Rollout(Map<String, SimulatedTimes> fates, double reached, int rounds) {
    public Rollout {
        fates = Checks.copy(fates);
    }
}
