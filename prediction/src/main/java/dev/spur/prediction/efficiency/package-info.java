/**
 * How much a sample is worth in a larger batch, and how much work is left, going by what a job reports of its training.
 */
@NullMarked
package dev.spur.prediction.efficiency;

import org.jspecify.annotations.NullMarked;
