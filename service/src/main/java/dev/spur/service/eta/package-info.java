/**
 * Estimated starts and completions: after each round, and outside of it, the planner replays the state into the future
 * and stores what it found; every replica hands it out. Nothing here changes a plan or can hold one up.
 */
@NullMarked
package dev.spur.service.eta;

import org.jspecify.annotations.NullMarked;
