package dev.spur.policies;

import dev.spur.solver.policy.Policy;

/**
 * A policy and where it comes from.
 *
 * @param policy the policy, by its unique name
 * @param idea what it does, one sentence
 * @param source the paper or program it comes from
 * @param certainty how well its rules are known
 */
public record PolicyEntry(Policy policy, String idea, String source, Provenance certainty) {
    /** How well the rules of a policy are known. */
    public enum Provenance {
        /** Spur's own. */
        OWN,
        /** Read in the paper or in its authors' code. */
        CERTAIN,
        /** Read in somebody else's implementation. */
        FROM_ANOTHER_IMPLEMENTATION,
        /** Agrees with all that is known, but the original text was not available. */
        RECONSTRUCTION
    }

    /** Name of the policy. */
    public String name() {
        return policy.name();
    }
}
