/** What a node has: devices, processors and memory. */
@NullMarked
package dev.spur.agent.inventory;

import org.jspecify.annotations.NullMarked;
