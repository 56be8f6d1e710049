package dev.spur.solver.pricing;

/**
 * The cap of a group whose jobs are all of one tenant.
 *
 * @param name name of the group
 * @param slotsRow the row that says slots of its jobs <= slots; -1 if slots have no limit
 * @param jobsRow the row that says jobs that run <= jobs; -1 if these have no limit
 * @param slots most slots
 * @param jobs most jobs
 */
record LocalCap(String name, int slotsRow, int jobsRow, long slots, long jobs) {}
