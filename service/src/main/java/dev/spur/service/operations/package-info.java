/** Metrics, traces, a log line per round, and support bundles. No component makes decisions based on these metrics. */
@NullMarked
package dev.spur.service.operations;

import org.jspecify.annotations.NullMarked;
