/**
 * Shared parsing of trace files: tables with missing cells, times in several notations, and a count of skipped rows.
 * The meaning of a row is left to each format.
 */
@NullMarked
package dev.spur.simulator.trace.parsing;

import org.jspecify.annotations.NullMarked;
