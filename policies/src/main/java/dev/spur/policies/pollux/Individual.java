package dev.spur.policies.pollux;

import java.util.Arrays;

/** Slots by row and column, not to be changed any more, and how fit that is. Plans with the same slots are equal. */
final class Individual {
    private final int[][] slots;
    private final double fitness;
    private final int hash;

    Individual(int[][] slots, double fitness) {
        this.slots = slots;
        this.fitness = fitness;
        hash = Arrays.deepHashCode(slots);
    }

    int[][] slots() {
        return slots;
    }

    double fitness() {
        return fitness;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Individual plan && hash == plan.hash && Arrays.deepEquals(slots, plan.slots);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
