/** Stalls of changes, learned from measured changes of a job and of its family. */
@NullMarked
package dev.spur.prediction.stall;

import org.jspecify.annotations.NullMarked;
