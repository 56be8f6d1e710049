/**
 * Predictions of the speed of one job on every type and in every allowed shape. Measured configurations keep their
 * measurement. Others use a fitted model, the job's family, or the ratio of two types. Each has a prediction interval
 * and an origin.
 */
@NullMarked
package dev.spur.prediction.job;

import org.jspecify.annotations.NullMarked;
