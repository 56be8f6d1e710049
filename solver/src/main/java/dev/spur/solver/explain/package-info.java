/** Explanations why a job is pending or runs as it does: the constraints are checked for that job against the plan. */
@NullMarked
package dev.spur.solver.explain;

import org.jspecify.annotations.NullMarked;
