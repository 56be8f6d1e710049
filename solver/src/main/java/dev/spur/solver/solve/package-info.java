/**
 * The boundary to CP-SAT: solving a program within a budget. Nothing outside the solver module sees a type of OR-Tools.
 */
@NullMarked
package dev.spur.solver.solve;

import org.jspecify.annotations.NullMarked;
