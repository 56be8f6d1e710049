/**
 * Placement of chosen shapes on devices. Jobs that keep their configuration keep their devices. The selection of jobs
 * is not decided here.
 */
@NullMarked
package dev.spur.solver.placement;

import org.jspecify.annotations.NullMarked;
