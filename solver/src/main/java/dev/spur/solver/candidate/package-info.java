/**
 * Which configurations are worth offering: hardware seen as classes of equal nodes, and per job the configurations on
 * them that no other one dominates. Nothing here chooses.
 */
@NullMarked
package dev.spur.solver.candidate;

import org.jspecify.annotations.NullMarked;
