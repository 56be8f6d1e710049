/**
 * Jobs of measured models: step times by placement and batch size, and gradient noise by epoch. The files come with the
 * simulators of Pollux and Sia; other traces do not use them.
 */
@NullMarked
package dev.spur.simulator.trace.measured;

import org.jspecify.annotations.NullMarked;
