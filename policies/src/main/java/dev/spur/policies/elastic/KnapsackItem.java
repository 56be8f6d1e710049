package dev.spur.policies.elastic;

/**
 * One way to choose for a job in a multiple-choice knapsack.
 *
 * @param slots slots that it takes, at least 0
 * @param value what it is worth
 */
public record KnapsackItem(int slots, double value) {}
