/** Plots as SVG text, drawn without a library, so that a page that contains them is self-contained. */
@NullMarked
package dev.spur.simulator.report.plot;

import org.jspecify.annotations.NullMarked;
