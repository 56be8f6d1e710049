/**
 * Jobs in the database: rows, states, history of events, and job groups. {@code job.lifecycle} decides about their
 * transitions; {@code job.api} shows them to callers.
 */
@NullMarked
package dev.spur.service.job;

import org.jspecify.annotations.NullMarked;
