package dev.spur.simulator.experiment;

import dev.spur.model.Checks;
import dev.spur.model.objective.ObjectiveKind;
import org.jspecify.annotations.Nullable;

/**
 * Policy variant of an experiment.
 *
 * @param name name in tables, unique in the experiment
 * @param policy name of the policy in the registry
 * @param objective objective of Spur's own policy; null for the objective of the experiment's settings
 */
public record Variant(String name, String policy, @Nullable ObjectiveKind objective) {
    public Variant {
        Checks.nonBlank("name", name);
        Checks.nonBlank("policy", policy);
    }

    /** Returns the policy under its own name. */
    static Variant of(String policy) {
        return new Variant(policy, policy, null);
    }
}
