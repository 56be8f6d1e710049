/** Results of replays: a table with one row per policy, files for other programs, and an HTML report with plots. */
@NullMarked
package dev.spur.simulator.report;

import org.jspecify.annotations.NullMarked;
