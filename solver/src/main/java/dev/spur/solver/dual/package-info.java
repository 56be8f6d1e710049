/** Linear relaxation of a round in arrays, and methods that minimize its dual bound over the prices of its rows. */
@NullMarked
package dev.spur.solver.dual;

import org.jspecify.annotations.NullMarked;
