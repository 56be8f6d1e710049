/** What replays came to: one row a policy, files for other programs, and a page with plots for people. */
@NullMarked
package dev.spur.simulator.report;

import org.jspecify.annotations.NullMarked;
