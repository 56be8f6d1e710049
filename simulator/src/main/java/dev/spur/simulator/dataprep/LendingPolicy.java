package dev.spur.simulator.dataprep;

/** Policy that assigns remote memory to preparations. */
public enum LendingPolicy {
    /** Rounds jointly plan the start nodes and the loans of memory. */
    PLAN,
    /** The same rounds without lending. */
    NONE,
    /**
     * Power of two choices (Infiniswap, NSDI '17): preparations start in order of arrival on the node with the most
     * free memory. Each slab goes to the better of two random lenders.
     */
    TWO_CHOICES
}
