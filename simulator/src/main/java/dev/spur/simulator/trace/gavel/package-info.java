/**
 * Traces of the simulators of Gavel and Shockwave: jobs of a fixed number of accelerators whose speed on each type
 * stands in a table, and whose batch size may change with the epochs.
 */
@NullMarked
package dev.spur.simulator.trace.gavel;

import org.jspecify.annotations.NullMarked;
