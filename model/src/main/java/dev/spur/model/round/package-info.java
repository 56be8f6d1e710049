/**
 * What a round reads and what it decides: the problem, configurations, allocations, plan, deferrals and proof.
 * {@link dev.spur.model.round.RoundProblem} is at once the saved round, the body of the stateless solve and the input
 * of the command line.
 */
@NullMarked
package dev.spur.model.round;

import org.jspecify.annotations.NullMarked;
