package dev.spur.solver.resource;

/**
 * Shadow price of a resource that the plan reports.
 *
 * @param reported resource
 * @param price objective value of one more unit; at least 0
 * @param available amount that preemptible jobs can hold together; for a cap or quota, the whole amount
 */
public record DualPrice(ResourceKey.Reported reported, double price, double available) {}
