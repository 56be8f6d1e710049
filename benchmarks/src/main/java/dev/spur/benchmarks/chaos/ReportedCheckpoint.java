package dev.spur.benchmarks.chaos;

/**
 * Checkpoint that the service reports.
 *
 * @param at time at which it was read, by the monotonic clock of the machine, s
 * @param samples samples of the job in it
 */
record ReportedCheckpoint(double at, long samples) {}
