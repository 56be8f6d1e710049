package dev.spur.model.round;

import dev.spur.model.Checks;
import java.util.Map;

/**
 * What a policy remembers from round to round.
 *
 * @param duals price of each resource in the last round, by the resource's name; where the next one starts
 * @param counters the policy's own numbers, by its own names
 */
public record RoundMemory(Map<String, Double> duals, Map<String, Double> counters) {
    /** The memory before the first round. */
    public static final RoundMemory EMPTY = new RoundMemory(Map.of(), Map.of());

    public RoundMemory {
        duals = Checks.copy(duals);
        counters = Checks.copy(counters);
    }
}
