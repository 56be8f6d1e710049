/** Quotas with borrowing and lending, as rows that a program or a greedy fill can keep to. */
@NullMarked
package dev.spur.solver.quota;

import org.jspecify.annotations.NullMarked;
