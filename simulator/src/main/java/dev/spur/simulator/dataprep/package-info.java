/**
 * Replays of data preparations on nodes whose own use of memory changes, under several lending policies. Between
 * rounds, the executors of the nodes react immediately.
 */
@NullMarked
package dev.spur.simulator.dataprep;

import org.jspecify.annotations.NullMarked;
