/**
 * Turns chosen shapes into devices of nodes. Jobs that keep their configuration keep their devices; nothing here
 * decides who runs.
 */
@NullMarked
package dev.spur.solver.placement;

import org.jspecify.annotations.NullMarked;
