/**
 * The measurements behind every figure that the documentation states, each runnable by name. Nothing here is part of
 * the service.
 */
@NullMarked
package dev.spur.benchmarks;

import org.jspecify.annotations.NullMarked;
