/** Coupling constraints of a round, each stated once. */
@NullMarked
package dev.spur.solver.constraint;

import org.jspecify.annotations.NullMarked;
