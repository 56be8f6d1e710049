/**
 * Processes of jobs on this node: started so that they outlive the agent, found again after its restart, and never two
 * generations on one device. What should run is not known here.
 */
@NullMarked
package dev.spur.agent.process;

import org.jspecify.annotations.NullMarked;
