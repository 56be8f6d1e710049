/**
 * Processes of jobs on this node. They outlive the agent and are reattached after its restart. Two generations never
 * share a device. The desired state is not part of this package.
 */
@NullMarked
package dev.spur.agent.process;

import org.jspecify.annotations.NullMarked;
