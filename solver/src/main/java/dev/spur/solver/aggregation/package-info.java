/** Aggregators shared by several jobs: assignment of shards to few aggregators with short stalls. */
@NullMarked
package dev.spur.solver.aggregation;

import org.jspecify.annotations.NullMarked;
