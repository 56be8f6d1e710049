package dev.spur.solver.constraint;

/**
 * Shadow price of a resource that the plan reports.
 *
 * @param key resource
 * @param price objective value of one more unit; at least 0
 * @param available amount that preemptible jobs can hold together; for a cap or quota, the whole amount
 */
public record DualPrice(ResourceKey.Reported key, double price, double available) {}
