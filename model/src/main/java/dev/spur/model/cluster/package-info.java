/**
 * The hardware: accelerator types, pools, nodes with their devices, and the times in which nodes are reserved or under
 * maintenance. Allocations belong to a job and a round and are defined elsewhere.
 */
@NullMarked
package dev.spur.model.cluster;

import org.jspecify.annotations.NullMarked;
