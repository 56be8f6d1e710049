/**
 * Data preparations of a round: which start on which node, with how much of its memory, and which nodes lend the rest.
 * Training is decided before and stays unchanged.
 */
@NullMarked
package dev.spur.solver.dataprep;

import org.jspecify.annotations.NullMarked;
