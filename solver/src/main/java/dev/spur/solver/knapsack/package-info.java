/** Exact multiple-choice knapsack of jobs that share quotas and caps with no other jobs, at given prices. */
@NullMarked
package dev.spur.solver.knapsack;

import org.jspecify.annotations.NullMarked;
