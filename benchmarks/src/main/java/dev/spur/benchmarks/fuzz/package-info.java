/**
 * Requests at random from the contract, valid ones, nearly valid ones and hostile ones, and answers held against it.
 * What is sent depends on the seed, and on what the service has answered before.
 */
@NullMarked
package dev.spur.benchmarks.fuzz;

import org.jspecify.annotations.NullMarked;
