package dev.spur.simulator.replay;

import dev.spur.model.Checks;
import java.util.Map;

/**
 * Simulated future of a state.
 *
 * @param timesById simulated times by the id of each job of the state
 * @param reached end of the simulated interval, seconds on the clock of the problem. It is the requested end, or
 *     earlier if the replay was cut; infinite if every job of the state has ended
 * @param rounds number of decisions
 */
public record Rollout(Map<String, SimulatedTimes> timesById, double reached, int rounds) {
    public Rollout {
        timesById = Checks.copy(timesById);
    }
}
