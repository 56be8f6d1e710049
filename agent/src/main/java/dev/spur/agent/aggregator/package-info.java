/**
 * The gradient aggregator: a process that sums shards of gradients of several jobs over TCP. It has no persistent
 * state, and workers resend their parts after its end, so shards can move at any time.
 */
@NullMarked
package dev.spur.agent.aggregator;

import org.jspecify.annotations.NullMarked;
