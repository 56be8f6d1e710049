package dev.spur.service.plans;

/**
 * The leader lease of the planner.
 *
 * @param holder name of the replica, different for each start
 * @param term fencing token, which increases with every change of holder
 */
public record Lease(String holder, long term) {}
