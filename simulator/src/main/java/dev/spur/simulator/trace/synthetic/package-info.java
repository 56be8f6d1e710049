/** Synthetic traces: arrivals, sizes and lengths drawn from published distributions, at a given load of the cluster. */
@NullMarked
package dev.spur.simulator.trace.synthetic;

import org.jspecify.annotations.NullMarked;
