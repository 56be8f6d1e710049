/**
 * What each resource is worth, and what is proven: prices from the Lagrangian relaxation of the rows that couple jobs,
 * an upper bound on every plan, a first plan read off the prices, and the jobs whose choice they leave open.
 */
@NullMarked
package dev.spur.solver.pricing;

import org.jspecify.annotations.NullMarked;
