package dev.spur.simulator.experiment;

import dev.spur.model.Checks;
import dev.spur.model.objective.ObjectiveKind;
import org.jspecify.annotations.Nullable;

/**
 * A policy in an experiment.
 *
 * @param name what tables call it, unique in the experiment
 * @param policy its name in the catalogue of policies
 * @param objective what Spur's own policy plans for; null for what the experiment is run with
 */
public record Variant(String name, String policy, @Nullable ObjectiveKind objective) {
    public Variant {
        Checks.named("name", name);
        Checks.named("policy", policy);
    }

    /** The policy under its own name. */
    static Variant of(String policy) {
        return new Variant(policy, policy, null);
    }
}
