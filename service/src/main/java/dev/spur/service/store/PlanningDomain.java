package dev.spur.service.store;

import dev.spur.model.Checks;
import java.util.List;

/**
 * Pools that are planned together, and apart from all others.
 *
 * @param name unique name, not {@link #DEFAULT}
 * @param pools names of its pools, in order; none is of two domains
 */
public record PlanningDomain(String name, List<String> pools) {
    /** The domain of every pool that is of no other one. It is there as soon as there is another one. */
    public static final String DEFAULT = "default";

    public PlanningDomain {
        Checks.named("name", name);
        pools = Checks.copy(pools).stream().distinct().sorted().toList();
    }
}
