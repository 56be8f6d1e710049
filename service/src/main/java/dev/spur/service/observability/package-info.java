/** Metrics, traces and a log line per round. No component makes decisions based on these metrics. */
@NullMarked
package dev.spur.service.observability;

import org.jspecify.annotations.NullMarked;
