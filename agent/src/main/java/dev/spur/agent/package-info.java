/**
 * The reference executor: one small program for each node, which starts and stops processes as the plan says. It knows
 * the service by its HTTP interface only.
 */
@NullMarked
package dev.spur.agent;

import org.jspecify.annotations.NullMarked;
