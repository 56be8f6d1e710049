/**
 * Boundary to CP-SAT: solves a program within a budget. Outside the solver module, only the baselines with other MIP
 * solvers use OR-Tools.
 */
@NullMarked
package dev.spur.solver.solve;

import org.jspecify.annotations.NullMarked;
