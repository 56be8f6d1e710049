/** Pollux: slots and nodes of all jobs by a genetic search over goodput (Qiao et al., OSDI '21). */
@NullMarked
package dev.spur.policies.pollux;

import org.jspecify.annotations.NullMarked;
