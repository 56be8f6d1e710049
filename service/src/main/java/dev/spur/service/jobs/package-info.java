/**
 * Jobs in the database: rows, states, events, groups, assignments to executors, data preparations and output.
 * {@code jobs.lifecycle} decides about their transitions; {@code api} shows them to callers.
 */
@NullMarked
package dev.spur.service.jobs;

import org.jspecify.annotations.NullMarked;
