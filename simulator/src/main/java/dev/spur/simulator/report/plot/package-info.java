/** Plots as SVG text, drawn without any library so that a page with them needs nothing beside itself. */
@NullMarked
package dev.spur.simulator.report.plot;

import org.jspecify.annotations.NullMarked;
