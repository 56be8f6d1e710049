package dev.spur.solver.relaxation;

/**
 * Cap of a group whose jobs all belong to one tenant.
 *
 * @param name name of the group
 * @param slotsRow row of the used slots, used <= slots; -1 without a limit
 * @param jobsRow row of the running jobs, running <= jobs; -1 without a limit
 * @param slots maximum number of slots
 * @param jobs maximum number of running jobs
 */
record LocalCap(String name, int slotsRow, int jobsRow, long slots, long jobs) {}
