/** Coupling constraints, their linear relaxation and Lagrangian dual, and the prices that result. */
@NullMarked
package dev.spur.solver.relaxation;

import org.jspecify.annotations.NullMarked;
