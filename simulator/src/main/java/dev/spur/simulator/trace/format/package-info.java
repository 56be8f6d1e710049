/**
 * The list of all trace formats. Nothing but the list: each format has a package of its own that knows nothing of the
 * others.
 */
@NullMarked
package dev.spur.simulator.trace.format;

import org.jspecify.annotations.NullMarked;
