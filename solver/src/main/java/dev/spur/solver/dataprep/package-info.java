/**
 * Preparations of data beside the training jobs of a round: which start where, with how much memory of their node, and
 * which nodes lend them the rest. Training is decided before and is not touched here.
 */
@NullMarked
package dev.spur.solver.dataprep;

import org.jspecify.annotations.NullMarked;
