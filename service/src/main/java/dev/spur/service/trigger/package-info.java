/** Requests for an early scheduling round, from the components that change its input. */
@NullMarked
package dev.spur.service.trigger;

import org.jspecify.annotations.NullMarked;
