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
     * Returns the configurations of the family of {@code viewModel}, without duplicates; the same object as long as
     * nothing is new.
     */
    List<Configuration> of(PolicyViewModel viewModel) {
        String family = viewModel.family();
        return family == null ? List.of() : byFamily.getOrDefault(family, List.of());
    }

    void add(PolicyViewModel viewModel, List<Configuration> ran) {
        String family = viewModel.family();
        if (family != null) {
            Set<Configuration> all = new LinkedHashSet<>(of(viewModel));
            if (all.addAll(ran)) {
                byFamily.put(family, List.copyOf(all));
            }
        }
    }
}
