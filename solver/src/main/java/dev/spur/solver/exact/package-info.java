/** Core problem that reduced costs leave open, solved by CP-SAT. */
@NullMarked
package dev.spur.solver.exact;

import org.jspecify.annotations.NullMarked;
