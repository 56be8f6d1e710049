package dev.spur.simulator.replay;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.prediction.stall.LearnedStalls;
import dev.spur.simulator.trace.PolicyViewModel;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Configurations in which jobs have made progress in this replay, and their stalls, by family. */
final class FamilyHistory {
    private final Map<String, List<Configuration>> configurationsByFamily = new HashMap<>();
    private final Map<String, LearnedStalls> stalls = new HashMap<>();

    /**
     * Returns the configurations of the family of {@code viewModel}, without duplicates; the same object as long as
     * nothing is new.
     */
    List<Configuration> of(PolicyViewModel viewModel) {
        String family = viewModel.family();
        return family == null ? List.of() : configurationsByFamily.getOrDefault(family, List.of());
    }

    /** Returns the simulated stalls of the family; the same object as long as nothing is new. */
    LearnedStalls stalls(PolicyViewModel viewModel) {
        String family = viewModel.family();
        return family == null ? LearnedStalls.NOTHING : stalls.getOrDefault(family, LearnedStalls.NOTHING);
    }

    void add(PolicyViewModel viewModel, ChangeMechanism change, double seconds) {
        String family = viewModel.family();
        if (family != null) {
            stalls.put(family, stalls(viewModel).and(change, seconds));
        }
    }

    void add(PolicyViewModel viewModel, List<Configuration> pastConfigurations) {
        String family = viewModel.family();
        if (family != null) {
            Set<Configuration> all = new LinkedHashSet<>(of(viewModel));
            if (all.addAll(pastConfigurations)) {
                configurationsByFamily.put(family, List.copyOf(all));
            }
        }
    }
}
