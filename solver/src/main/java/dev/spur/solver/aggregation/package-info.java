/**
 * Aggregators that several jobs share: whose shards lie where, so that few are needed and nobody waits long for
 * another's burst.
 */
@NullMarked
package dev.spur.solver.aggregation;

import org.jspecify.annotations.NullMarked;
