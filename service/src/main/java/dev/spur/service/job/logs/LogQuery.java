package dev.spur.service.job.logs;

import org.jspecify.annotations.Nullable;

/**
 * Selection of stored output of a job.
 *
 * @param generation generation; null for the newest one with output, or after a cursor for all
 * @param rank rank; null for all
 * @param lines maximum number of last lines of each rank
 * @param after cursor: only output that was uploaded later; null for all
 */
record LogQuery(
        @Nullable Long generation,
        @Nullable Integer rank,
        int lines,
        @Nullable Long after) {}
