/**
 * What readers of trace files share: tables whose cells may be missing, times as people write them, and a count of the
 * rows that were left out. What a row means is not known here.
 */
@NullMarked
package dev.spur.simulator.trace.parsing;

import org.jspecify.annotations.NullMarked;
