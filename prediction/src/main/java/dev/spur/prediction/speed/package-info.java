/**
 * How long a step takes in shapes that never ran: formulas from the literature, fitted to a few measured steps of one
 * job on one accelerator type, with bands. What the numbers are then used for, and where they come from, is not known
 * here.
 */
@NullMarked
package dev.spur.prediction.speed;

import org.jspecify.annotations.NullMarked;
