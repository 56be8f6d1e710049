/**
 * Synergy: an order of the jobs selects those that run; host CPU and memory are then allocated by the sensitivity of
 * each job. Earlier host allocations matter only for a job that can neither move nor get its level.
 */
@NullMarked
package dev.spur.policies.synergy;

import org.jspecify.annotations.NullMarked;
