/**
 * What would start a job that waits: changes are tried, the smallest first, and only one under which every best plan
 * runs the job is named. Reasons that are read off a plan without solving again are elsewhere.
 */
@NullMarked
package dev.spur.solver.counterfactual;

import org.jspecify.annotations.NullMarked;
