/**
 * How fast one job is expected to run on every type and in every shape that it may get: what was measured as it is,
 * what was not by a fitted model, by the job's family, or by the ratio of two types, always with a band and with where
 * it comes from.
 */
@NullMarked
package dev.spur.prediction.job;

import org.jspecify.annotations.NullMarked;
