package dev.spur.policies.synergy;

import dev.spur.model.performance.HostLevel;

/**
 * What a job wants of its hosts.
 *
 * @param best the least CPUs, then the least memory, of those levels at which it is fastest
 * @param floor what it may be cut to: its fastest level within the share of its slots, or what it states if it has none
 *     there
 * @param isGuaranteed true if {@code floor} lies within that share, so that everybody could have his at once
 */
record HostRequest(HostLevel best, HostLevel floor, boolean isGuaranteed) {}
