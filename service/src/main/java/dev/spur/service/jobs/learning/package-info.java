/**
 * Prediction of job speeds and of aggregation load: from stated profiles, from reports of running jobs, and from other
 * jobs of the same family. The learned state is stored in the database; a replica caches only data that it can read
 * again.
 */
@NullMarked
package dev.spur.service.jobs.learning;

import org.jspecify.annotations.NullMarked;
