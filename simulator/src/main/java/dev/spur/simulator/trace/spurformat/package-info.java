/** Spur's own format of traces: models with their measured speeds, and jobs that train them. */
@NullMarked
package dev.spur.simulator.trace.spurformat;

import org.jspecify.annotations.NullMarked;
