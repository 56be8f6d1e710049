/**
 * What jobs of the past tell about jobs that are like them: measured steps by family of jobs and accelerator type, kept
 * as data so that they outlive every change of formulas.
 */
@NullMarked
package dev.spur.prediction.family;

import org.jspecify.annotations.NullMarked;
