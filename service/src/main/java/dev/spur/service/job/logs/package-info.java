/** Output of jobs: the tails of the logs that executors upload, and the causes of failures. */
@NullMarked
package dev.spur.service.job.logs;

import org.jspecify.annotations.NullMarked;
