/**
 * Models of step times with their fits: what is concluded from a few measurements about shapes that never ran. Where
 * the measurements come from is not known here.
 */
@NullMarked
package dev.spur.prediction;

import org.jspecify.annotations.NullMarked;
