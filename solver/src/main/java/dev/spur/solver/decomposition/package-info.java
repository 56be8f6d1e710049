/**
 * Decomposition of a round into prices, heuristics and core problem.
 * {@link dev.spur.solver.decomposition.Decomposition} is the class to read first.
 */
@NullMarked
package dev.spur.solver.decomposition;

import org.jspecify.annotations.NullMarked;
