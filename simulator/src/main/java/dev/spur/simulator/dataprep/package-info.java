/**
 * Replays preparations of data on nodes whose own use of memory changes, under ways of lending memory. What a plan does
 * not see in time is done by the executors of the nodes, at once.
 */
@NullMarked
package dev.spur.simulator.dataprep;

import org.jspecify.annotations.NullMarked;
