package dev.spur.policies.synergy;

import dev.spur.model.performance.HostLevel;

/**
 * Host CPU and memory that a job requests.
 *
 * @param best the level with the least CPUs, then the least memory, among those at which the job is fastest
 * @param floor minimum level: the fastest level within the share of its slots, or the stated demand if there is none
 * @param isGuaranteed true if {@code floor} lies within that share, so that the floors of all such jobs fit together
 */
record HostRequest(HostLevel best, HostLevel floor, boolean isGuaranteed) {}
