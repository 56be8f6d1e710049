/**
 * Jobs that prepare data on host CPU and memory, what they hold, and who lends them memory. Which of them run, and
 * where, is not said here.
 */
@NullMarked
package dev.spur.model.dataprep;

import org.jspecify.annotations.NullMarked;
