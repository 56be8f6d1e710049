/** The independent plan validator: the rules of every plan, checked without the solver and its data structures. */
@NullMarked
package dev.spur.model.validation;

import org.jspecify.annotations.NullMarked;
