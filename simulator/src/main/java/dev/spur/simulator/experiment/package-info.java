/**
 * Experiments: every policy on the same synthetic traces over a grid of loads and seeds, with confidence intervals.
 * Each finished replay is stored, so that an interrupted experiment can be resumed.
 */
@NullMarked
package dev.spur.simulator.experiment;

import org.jspecify.annotations.NullMarked;
