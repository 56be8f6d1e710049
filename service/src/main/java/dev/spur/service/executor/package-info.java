/**
 * API of the executors that run jobs on nodes: registration with a lease, desired state, and transitions of
 * assignments. A device is reassigned only after its holder has released it, or after the holder's lease and the grace
 * period have ended.
 */
@NullMarked
package dev.spur.service.executor;

import org.jspecify.annotations.NullMarked;
