/** Groups of jobs with a common cap, as constraints for a program and for the greedy heuristic. */
@NullMarked
package dev.spur.solver.group;

import org.jspecify.annotations.NullMarked;
