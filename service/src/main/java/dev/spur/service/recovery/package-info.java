/** Recovery after a restored backup or a jump of the database clock: longer leases, higher counters. */
@NullMarked
package dev.spur.service.recovery;

import org.jspecify.annotations.NullMarked;
