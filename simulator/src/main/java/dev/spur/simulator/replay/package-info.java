/**
 * Replays a trace under a policy, event by event. The policy sees beliefs and its own memory; the replay keeps the
 * truth, judges each decision with the service's own judge, and measures.
 */
@NullMarked
package dev.spur.simulator.replay;

import org.jspecify.annotations.NullMarked;
