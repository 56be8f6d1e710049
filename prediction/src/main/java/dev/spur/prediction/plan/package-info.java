/** Which few short runs would tell most about a job's speed for what they cost. */
@NullMarked
package dev.spur.prediction.plan;

import org.jspecify.annotations.NullMarked;
