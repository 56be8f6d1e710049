/**
 * Simulations requested over REST. They are stored in the database, run one at a time alongside the rounds, and survive
 * a restart once accepted.
 */
@NullMarked
package dev.spur.service.simulation;

import org.jspecify.annotations.NullMarked;
