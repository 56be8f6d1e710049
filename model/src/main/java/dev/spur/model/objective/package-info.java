/** The objectives among which an operator chooses, and their parameters. */
@NullMarked
package dev.spur.model.objective;

import org.jspecify.annotations.NullMarked;
