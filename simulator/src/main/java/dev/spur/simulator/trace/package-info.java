/**
 * Recorded and made-up arrivals: which jobs came when, what is true of them, and what a policy is told. A truth is
 * asked by the replay alone; policies see beliefs.
 */
@NullMarked
package dev.spur.simulator.trace;

import org.jspecify.annotations.NullMarked;
