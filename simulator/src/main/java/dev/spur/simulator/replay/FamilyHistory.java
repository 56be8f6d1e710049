package dev.spur.simulator.replay;

import dev.spur.model.allocation.Configuration;
import dev.spur.simulator.trace.PolicyViewModel;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Configurations in which jobs have made progress in this replay, by family. */
final class FamilyHistory {
    private final Map<String, List<Configuration>> byFamily = new HashMap<>();

    /**
     * Returns the configurations of the family of {@code insight}, without duplicates; the same object as long as
     * nothing is new.
     */
    List<Configuration> of(PolicyViewModel insight) {
        String family = insight.family();
        return family == null ? List.of() : byFamily.getOrDefault(family, List.of());
    }

    void add(PolicyViewModel insight, List<Configuration> ran) {
        String family = insight.family();
        if (family != null) {
            Set<Configuration> all = new LinkedHashSet<>(of(insight));
            if (all.addAll(ran)) {
                byFamily.put(family, List.copyOf(all));
            }
        }
    }
}
