/**
 * Models of step times and their fits, which extrapolate a few measurements to unmeasured shapes. The source of the
 * measurements is outside this module.
 */
@NullMarked
package dev.spur.prediction;

import org.jspecify.annotations.NullMarked;
