/** Boundary to CP-SAT: solves a program within a budget. No type of OR-Tools is visible outside the solver module. */
@NullMarked
package dev.spur.solver.solve;

import org.jspecify.annotations.NullMarked;
