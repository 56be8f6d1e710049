/** Output of processes as it leaves the node: bounded, valid text with masked secrets. */
@NullMarked
package dev.spur.agent.output;

import org.jspecify.annotations.NullMarked;
