/**
 * Simulations that callers ask for over REST: kept in the database, run one at a time beside the rounds, and never
 * forgotten once they are accepted.
 */
@NullMarked
package dev.spur.service.simulation;

import org.jspecify.annotations.NullMarked;
