/**
 * Which nodes, how many of them, which batch size and which strategy suit a job and its target best, at which time,
 * cost and risk.
 */
@NullMarked
package dev.spur.solver.recommend;

import org.jspecify.annotations.NullMarked;
