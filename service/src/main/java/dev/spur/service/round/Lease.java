package dev.spur.service.round;

/**
 * The right to plan, as long as the database says so.
 *
 * @param holder name of this replica, different for each start
 * @param epoch fencing number: rises with every change of holder
 */
record Lease(String holder, long epoch) {}
