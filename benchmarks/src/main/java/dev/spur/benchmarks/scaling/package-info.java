/**
 * Scaling benchmark: instances, methods, the time of each method, and the gap of each plan to the best bound that any
 * method proved.
 */
@NullMarked
package dev.spur.benchmarks.scaling;

import org.jspecify.annotations.NullMarked;
