/**
 * When a round runs and what it does: the loop of the one replica that plans, the steps of a round, and the publication
 * that is fenced by the lease. How a plan is found is said in the solver module, how it reaches executors elsewhere.
 */
@NullMarked
package dev.spur.service.round;

import org.jspecify.annotations.NullMarked;
