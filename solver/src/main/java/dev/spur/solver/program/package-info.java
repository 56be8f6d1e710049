/**
 * Integer program of a round: variables, one method per guarantee, and objective. {@code docs/model/formulation.md}
 * contains the formulation with the same names.
 */
@NullMarked
package dev.spur.solver.program;

import org.jspecify.annotations.NullMarked;
