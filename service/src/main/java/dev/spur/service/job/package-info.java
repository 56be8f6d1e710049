/**
 * The life of a job as its owner and its executors see it: submission, changes, progress and end. What runs when is
 * decided by rounds; this package only says what a round may still decide on.
 */
@NullMarked
package dev.spur.service.job;

import org.jspecify.annotations.NullMarked;
