/** Optimal experiment design for profiling: the short runs with the highest information gain per cost. */
@NullMarked
package dev.spur.prediction.plan;

import org.jspecify.annotations.NullMarked;
