/** Spur's own trace format: models with their measured speeds, and jobs that train them. */
@NullMarked
package dev.spur.simulator.trace.spurformat;

import org.jspecify.annotations.NullMarked;
