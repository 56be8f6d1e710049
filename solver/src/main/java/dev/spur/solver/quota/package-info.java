/** Quotas with borrowing and lending, as constraints for a program and for the greedy heuristic. */
@NullMarked
package dev.spur.solver.quota;

import org.jspecify.annotations.NullMarked;
