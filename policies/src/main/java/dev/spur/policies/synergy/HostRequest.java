package dev.spur.policies.synergy;

import dev.spur.model.performance.HostLevel;

/**
 * Host CPU and memory that a job requests.
 *
 * @param bestLevel the level with the least CPUs, then the least memory, among those at which the job is fastest
 * @param floorLevel minimum level: the fastest level within the share of its slots, or the stated demand if there is
 *     none
 * @param isGuaranteed true if {@code floorLevel} lies within that share, so that the floors of all such jobs fit
 *     together
 */
record HostRequest(HostLevel bestLevel, HostLevel floorLevel, boolean isGuaranteed) {}
