/**
 * Life cycle of a job for its owner and its executors: submission, changes, progress and end. Scheduling rounds decide
 * which jobs run; this package only determines which jobs are candidates.
 */
@NullMarked
package dev.spur.service.jobs.lifecycle;

import org.jspecify.annotations.NullMarked;
