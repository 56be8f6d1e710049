/** Callers and neighbors that are slow on purpose, and the responses of the health endpoints meanwhile. */
@NullMarked
package dev.spur.benchmarks.health;

import org.jspecify.annotations.NullMarked;
