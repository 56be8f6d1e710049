/**
 * Scheduling rounds: the loop of the leader, the steps of a round, and the publication, which the lease fences. The
 * solver module computes plans; other packages deliver them to executors.
 */
@NullMarked
package dev.spur.service.round;

import org.jspecify.annotations.NullMarked;
