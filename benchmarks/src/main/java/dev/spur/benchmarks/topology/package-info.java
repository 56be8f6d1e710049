/** Gangs that prefer close nodes: random gangs over rounds, planned by Spur and by a greedy baseline. */
@NullMarked
package dev.spur.benchmarks.topology;

import org.jspecify.annotations.NullMarked;
