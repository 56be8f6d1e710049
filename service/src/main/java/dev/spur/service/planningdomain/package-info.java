/**
 * Partition of the state into planning domains: which domain plans which job, and its portion of common quotas.
 * Publication of a plan checks these decisions against the database again.
 */
@NullMarked
package dev.spur.service.planningdomain;

import org.jspecify.annotations.NullMarked;
