/**
 * Contract fuzzing: random valid, nearly valid and hostile requests derived from the contract, and validation of every
 * response. Requests depend on the seed and on earlier responses of the service.
 */
@NullMarked
package dev.spur.benchmarks.fuzz;

import org.jspecify.annotations.NullMarked;
