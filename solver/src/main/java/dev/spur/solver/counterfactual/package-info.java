/**
 * Counterfactual search: the smallest verified change that starts a pending job. Every optimal plan of the changed
 * problem runs the job. Reasons derived from a plan without solving again are in {@code explain}.
 */
@NullMarked
package dev.spur.solver.counterfactual;

import org.jspecify.annotations.NullMarked;
