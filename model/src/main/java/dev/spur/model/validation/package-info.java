/**
 * The independent judge: what every plan satisfies, stated without a solver and without the solver's data structures.
 */
@NullMarked
package dev.spur.model.validation;

import org.jspecify.annotations.NullMarked;
