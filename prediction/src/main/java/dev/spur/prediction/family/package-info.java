/**
 * Measured steps of past jobs by job family and accelerator type, as priors for similar jobs. They are stored as data,
 * so that they remain valid when formulas change.
 */
@NullMarked
package dev.spur.prediction.family;

import org.jspecify.annotations.NullMarked;
