package dev.spur.simulator.dataprep;

/** A way of giving preparations memory. */
public enum LendingPolicy {
    /** Rounds plan who starts where and who lends how much to whom. */
    PLAN,
    /** The same rounds, in which nobody lends. */
    NONE,
    /**
     * Who comes first starts where most memory is free; slabs go to the better of two random lenders (Infiniswap, NSDI
     * '17).
     */
    TWO_CHOICES
}
