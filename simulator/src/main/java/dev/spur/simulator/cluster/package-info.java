/** The cluster on which a trace is replayed, as a file says it. */
@NullMarked
package dev.spur.simulator.cluster;

import org.jspecify.annotations.NullMarked;
