/** Aggregators, the processes that sum gradients, and the assignment of the jobs' shards to them. */
@NullMarked
package dev.spur.model.aggregation;

import org.jspecify.annotations.NullMarked;
