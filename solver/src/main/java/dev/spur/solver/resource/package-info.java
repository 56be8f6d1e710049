/** Resources that couple the jobs of a round: keys, limits, pieces of nodes and restarts. */
@NullMarked
package dev.spur.solver.resource;

import org.jspecify.annotations.NullMarked;
