/**
 * What jobs that share quotas and caps with nobody else gain most from at given prices, exactly: a multiple-choice
 * knapsack.
 */
@NullMarked
package dev.spur.solver.knapsack;

import org.jspecify.annotations.NullMarked;
