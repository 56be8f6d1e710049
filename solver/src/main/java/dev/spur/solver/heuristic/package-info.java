/** Primal heuristics: rounding by prices, simulated annealing, large neighborhood search. */
@NullMarked
package dev.spur.solver.heuristic;

import org.jspecify.annotations.NullMarked;
