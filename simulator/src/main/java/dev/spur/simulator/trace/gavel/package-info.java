/**
 * Traces of the simulators of Gavel and Shockwave: jobs on a fixed number of accelerators. A table states their speed
 * on each type; their batch size may change with the epochs.
 */
@NullMarked
package dev.spur.simulator.trace.gavel;

import org.jspecify.annotations.NullMarked;
