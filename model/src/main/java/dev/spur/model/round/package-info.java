/**
 * The input and the output of a round: the problem, and the plan with its allocations, pending reasons, solution
 * quality and solver statistics. {@link dev.spur.model.round.RoundProblem} is also the saved snapshot, the body of a
 * stateless solve request and the input of the command line.
 */
@NullMarked
package dev.spur.model.round;

import org.jspecify.annotations.NullMarked;
