/** Recommendation of nodes, their number, batch size and strategy for a job and its goal, with time, cost and risk. */
@NullMarked
package dev.spur.solver.recommend;

import org.jspecify.annotations.NullMarked;
