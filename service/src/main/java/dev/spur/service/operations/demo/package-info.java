/**
 * Demo with a synthetic cluster, synthetic jobs and a simulated executor. It uses the public API, and reads the counts
 * of jobs from the database. No other package may depend on it.
 */
@NullMarked
package dev.spur.service.operations.demo;

import org.jspecify.annotations.NullMarked;
