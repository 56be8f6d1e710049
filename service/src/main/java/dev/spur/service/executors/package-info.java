/**
 * API of the executors that run jobs on nodes: registration with a lease, desired state, and transitions of
 * assignments. A device is reassigned only after its holder has released it, or after the lease of the holder and the
 * grace period have ended. Training code written for AdaptDL reports throughput and reads the addresses of the members
 * here.
 */
@NullMarked
package dev.spur.service.executors;

import org.jspecify.annotations.NullMarked;
