package dev.spur.policies.support;

/**
 * A piece of a gang.
 *
 * @param node number of the node
 * @param slots slots there, at least 1
 */
public record NodeSlots(int node, int slots) {}
