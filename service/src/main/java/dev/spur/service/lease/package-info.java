/** Leases of planners in the database: election of the leader, and the fencing token of each of its writes. */
@NullMarked
package dev.spur.service.lease;

import org.jspecify.annotations.NullMarked;
