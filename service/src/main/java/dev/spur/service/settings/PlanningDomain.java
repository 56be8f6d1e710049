package dev.spur.service.settings;

import dev.spur.model.Checks;
import java.util.List;

/**
 * Pools that are planned together and separately from all others.
 *
 * @param name unique name, not {@link #DEFAULT}
 * @param pools names of its pools, in order; each pool is in at most one domain
 */
public record PlanningDomain(String name, List<String> pools) {
    /** Domain of every pool that is not in another domain. It exists if and only if another domain exists. */
    public static final String DEFAULT = "default";

    public PlanningDomain {
        Checks.nonBlank("name", name);
        pools = Checks.copy(pools).stream().distinct().sorted().toList();
    }
}
