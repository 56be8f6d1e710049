/**
 * Scheduling rounds: the loop of the leader, the steps of a round, the publication, which the lease fences, and plans
 * that wait for the approval of an operator. The solver module computes plans; other packages deliver them to
 * executors.
 */
@NullMarked
package dev.spur.service.rounds;

import org.jspecify.annotations.NullMarked;
