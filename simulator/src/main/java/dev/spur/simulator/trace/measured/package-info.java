/**
 * Jobs whose models were measured: step times by placement and batch size, and gradient noise by epoch, in the files
 * that come with the simulators of Pollux and Sia. Other traces know no such files.
 */
@NullMarked
package dev.spur.simulator.trace.measured;

import org.jspecify.annotations.NullMarked;
