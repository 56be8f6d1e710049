/** Plots as SVG text, drawn by JFreeChart. */
@NullMarked
package dev.spur.simulator.report.plot;

import org.jspecify.annotations.NullMarked;
