/**
 * Recorded and synthetic traces: job arrivals, the ground truth of each job, and the information that policies receive.
 * Only the replay reads the ground truth; policies see estimates.
 */
@NullMarked
package dev.spur.simulator.trace;

import org.jspecify.annotations.NullMarked;
