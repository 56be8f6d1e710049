/** Command line of the simulator. */
@NullMarked
package dev.spur.simulator.command;

import org.jspecify.annotations.NullMarked;
