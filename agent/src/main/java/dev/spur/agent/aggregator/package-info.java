/**
 * The aggregator: a process that sums shards of gradients for several jobs over TCP. It holds nothing that is not sent
 * again when it ends, so shards may move to another one at any time.
 */
@NullMarked
package dev.spur.agent.aggregator;

import org.jspecify.annotations.NullMarked;
