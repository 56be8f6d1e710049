/** What to do next, from what should run and what does: pure functions. */
@NullMarked
package dev.spur.agent.reconcile;

import org.jspecify.annotations.NullMarked;
