/**
 * The independent judge: what every plan satisfies, stated without a solver and without the solver's data structures.
 */
@NullMarked
package dev.spur.model.check;

import org.jspecify.annotations.NullMarked;
