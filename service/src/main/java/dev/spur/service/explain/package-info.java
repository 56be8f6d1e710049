/**
 * Explanations and hypothetical plans: why a job waits, which changes would start it, what-if plans, and plans for a
 * problem of the caller. Nothing here changes the state.
 */
@NullMarked
package dev.spur.service.explain;

import org.jspecify.annotations.NullMarked;
