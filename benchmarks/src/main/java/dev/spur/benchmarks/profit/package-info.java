/** Revenue, cost and profit of replays of recorded traces. */
@NullMarked
package dev.spur.benchmarks.profit;

import org.jspecify.annotations.NullMarked;
