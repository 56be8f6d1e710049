/**
 * Discrete-event replay of a trace under a policy. The policy sees estimates and its own memory. The replay holds the
 * ground truth, checks each decision with the service's plan validator, and measures.
 */
@NullMarked
package dev.spur.simulator.replay;

import org.jspecify.annotations.NullMarked;
