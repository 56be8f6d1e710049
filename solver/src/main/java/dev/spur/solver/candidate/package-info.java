/**
 * Candidate generation: the cluster as classes of equal nodes, and per job the configurations on them that no other one
 * dominates. Nothing is selected here.
 */
@NullMarked
package dev.spur.solver.candidate;

import org.jspecify.annotations.NullMarked;
