package dev.spur.policies.round;

/**
 * A piece of a gang.
 *
 * @param node number of the node
 * @param slots slots there, at least 1
 */
public record Spot(int node, int slots) {}
