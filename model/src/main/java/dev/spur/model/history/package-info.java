/** Format of an exported time range of a cluster, from which its jobs can be replayed. */
@NullMarked
package dev.spur.model.history;

import org.jspecify.annotations.NullMarked;
