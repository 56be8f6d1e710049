package dev.spur.policies.support;

/**
 * The slots of a gang on one node.
 *
 * @param node node number
 * @param slots number of slots, at least 1
 */
public record NodeSlots(int node, int slots) {}
