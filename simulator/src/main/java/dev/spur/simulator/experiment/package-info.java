/**
 * Experiments: a grid of loads and seeds, every policy on the same made-up traces, and what they came to with
 * intervals. Each replay that is finished is kept, so that an experiment goes on where it was stopped.
 */
@NullMarked
package dev.spur.simulator.experiment;

import org.jspecify.annotations.NullMarked;
