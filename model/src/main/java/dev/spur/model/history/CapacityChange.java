package dev.spur.model.history;

import java.time.Instant;

/**
 * Number of slots of an accelerator type from one change to the next.
 *
 * @param at time of the change
 * @param slots slots of all nodes that are not lost
 * @param unavailable slots of cordoned and draining nodes that no job holds
 */
public record CapacityChange(String acceleratorType, Instant at, int slots, int unavailable) {}
