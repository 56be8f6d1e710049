/** Groups of jobs with a common cap, as limits that a program or a greedy fill can keep to. */
@NullMarked
package dev.spur.solver.group;

import org.jspecify.annotations.NullMarked;
