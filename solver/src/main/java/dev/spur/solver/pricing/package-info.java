/**
 * Lagrangian decomposition of a round: shadow prices of the coupling constraints, and a dual bound. It also provides an
 * incumbent from the prices, large neighborhood search, and the core problem of the jobs with an open choice.
 */
@NullMarked
package dev.spur.solver.pricing;

import org.jspecify.annotations.NullMarked;
