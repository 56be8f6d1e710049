/**
 * What a configuration is worth to the operator. Solver and judge take every worth from here, so that there is one
 * formula.
 */
@NullMarked
package dev.spur.model.utility;

import org.jspecify.annotations.NullMarked;
