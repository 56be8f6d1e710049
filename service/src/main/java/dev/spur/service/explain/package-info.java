/**
 * Questions about plans: why a job waits, what would start it, what a change would bring, and what a plan for somebody
 * else's problem would be. Nothing here changes any state.
 */
@NullMarked
package dev.spur.service.explain;

import org.jspecify.annotations.NullMarked;
