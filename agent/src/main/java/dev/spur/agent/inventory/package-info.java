/** Resources of a node: devices, CPUs and memory. */
@NullMarked
package dev.spur.agent.inventory;

import org.jspecify.annotations.NullMarked;
