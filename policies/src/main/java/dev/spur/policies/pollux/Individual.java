package dev.spur.policies.pollux;

import java.util.Arrays;

/** Immutable slots by row and column, with their fitness. Individuals with the same slots are equal. */
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
