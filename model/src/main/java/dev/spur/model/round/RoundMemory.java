package dev.spur.model.round;

import dev.spur.model.Checks;
import java.util.Map;

/**
 * The state of a policy that is kept from round to round.
 *
 * @param duals dual value of each resource in the last round, by resource name; the next round starts from them
 * @param counters numbers of the policy, by its own names
 */
public record RoundMemory(Map<String, Double> duals, Map<String, Double> counters) {
    /** The state before the first round. */
    public static final RoundMemory EMPTY = new RoundMemory(Map.of(), Map.of());

    public RoundMemory {
        duals = Checks.copy(duals);
        counters = Checks.copy(counters);
    }
}
