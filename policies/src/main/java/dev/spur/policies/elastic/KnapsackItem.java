package dev.spur.policies.elastic;

/**
 * One choice of a job in a multiple-choice knapsack.
 *
 * @param slots slots that the choice uses, at least 0
 * @param value objective coefficient of the choice
 */
public record KnapsackItem(int slots, double value) {}
