/**
 * Export and restore of the whole database, and recovery of a replica whose database was restored. An external database
 * is exported by {@code pg_dump}. The export of the embedded one contains the tables in the COPY format of PostgreSQL
 * and a manifest with their row counts and digests. After a restore, no number is assigned twice, and the scheduler
 * starts nothing before executors have had time to report their jobs.
 */
@NullMarked
package dev.spur.service.operations.backup;

import org.jspecify.annotations.NullMarked;
