/** Aggregators: the processes that sum gradients, which of them there are, and what of which job lies on them. */
@NullMarked
package dev.spur.model.aggregation;

import org.jspecify.annotations.NullMarked;
