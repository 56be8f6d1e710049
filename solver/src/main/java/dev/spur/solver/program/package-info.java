/**
 * The integer program of a round: variables, one method per guarantee, objective. The formulation is written down in
 * {@code docs/model/formulation.md} under the same names.
 */
@NullMarked
package dev.spur.solver.program;

import org.jspecify.annotations.NullMarked;
