/** The objectives among which an operator chooses, with their parameters. */
@NullMarked
package dev.spur.model.objective;

import org.jspecify.annotations.NullMarked;
