/**
 * Benchmarks behind every number that the documentation states, each runnable by name. They are not part of the
 * service.
 */
@NullMarked
package dev.spur.benchmarks;

import org.jspecify.annotations.NullMarked;
