/** Cluster files: the cluster on which a trace is replayed. */
@NullMarked
package dev.spur.simulator.cluster;

import org.jspecify.annotations.NullMarked;
