/** Prediction error of step times: some measured steps are drawn, and the others are predicted. */
@NullMarked
package dev.spur.benchmarks.models;

import org.jspecify.annotations.NullMarked;
