/**
 * Synergy: who runs is decided by an order of the jobs, and host CPU and memory are then shared out by how sensitive
 * each job is to them. What was granted in an earlier round is looked at only where a job may neither move nor have
 * what it should.
 */
@NullMarked
package dev.spur.policies.synergy;

import org.jspecify.annotations.NullMarked;
