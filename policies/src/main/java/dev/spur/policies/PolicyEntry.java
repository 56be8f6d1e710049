package dev.spur.policies;

import dev.spur.solver.policy.Policy;

/**
 * A policy and its origin.
 *
 * @param policy the policy, with a unique name
 * @param idea one-sentence summary of its rules
 * @param source the paper or program that defines it
 * @param provenance provenance of its rules
 */
public record PolicyEntry(Policy policy, String idea, String source, Provenance provenance) {
    /** Evidence for the rules of a policy. */
    public enum Provenance {
        /** Defined by Spur. */
        OWN,
        /** Read in the paper or in its authors' code. */
        CERTAIN,
        /** Read in a third-party implementation. */
        FROM_ANOTHER_IMPLEMENTATION,
        /** Reconstruction that agrees with all published facts; the original text was not available. */
        RECONSTRUCTION
    }

    /** Returns the name of the policy. */
    public String name() {
        return policy.name();
    }
}
