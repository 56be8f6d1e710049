/**
 * Step times in unmeasured shapes: formulas from the literature with prediction intervals, fitted to a few measured
 * steps of one job on one accelerator type. The use of the predictions and the source of the measurements are outside
 * this package.
 */
@NullMarked
package dev.spur.prediction.speed;

import org.jspecify.annotations.NullMarked;
