/**
 * The utility of configurations. The solver and the plan validator both compute it here, so that there is one formula.
 */
@NullMarked
package dev.spur.model.utility;

import org.jspecify.annotations.NullMarked;
