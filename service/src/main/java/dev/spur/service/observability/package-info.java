/**
 * What operators see of the service: metrics and a log line per round. Nothing decides anything by what is measured
 * here.
 */
@NullMarked
package dev.spur.service.observability;

import org.jspecify.annotations.NullMarked;
