/** Registry of all trace formats. Each format has a package of its own that does not depend on the others. */
@NullMarked
package dev.spur.simulator.trace.format;

import org.jspecify.annotations.NullMarked;
