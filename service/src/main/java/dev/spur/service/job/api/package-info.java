/** REST controllers of jobs and job groups, and the views of a job with its plan entry and estimate. */
@NullMarked
package dev.spur.service.job.api;

import org.jspecify.annotations.NullMarked;
