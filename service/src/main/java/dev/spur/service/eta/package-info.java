/**
 * ETAs: predicted starts and completions. After each round and independent of it, the planner simulates the future of
 * the state and stores the result; every replica provides it. Nothing here changes or delays a plan.
 */
@NullMarked
package dev.spur.service.eta;

import org.jspecify.annotations.NullMarked;
