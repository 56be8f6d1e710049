/**
 * Measures ways to plan the same round: which instances there are, how long each way takes, and how far each plan is
 * from the best bound that any of them has proved.
 */
@NullMarked
package dev.spur.benchmarks.scaling;

import org.jspecify.annotations.NullMarked;
