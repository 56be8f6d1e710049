/**
 * The complete integer program of a round, solved by CP-SAT, HiGHS or SCIP: the baselines of the decomposition. Apart
 * from the solver, this package alone uses OR-Tools.
 */
@NullMarked
package dev.spur.policies.monolithic;

import org.jspecify.annotations.NullMarked;
