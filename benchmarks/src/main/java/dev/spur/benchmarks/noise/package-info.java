/** Simulation of jobs that learn their speed from noisy reports, with the rules of this build and of an earlier one. */
@NullMarked
package dev.spur.benchmarks.noise;

import org.jspecify.annotations.NullMarked;
