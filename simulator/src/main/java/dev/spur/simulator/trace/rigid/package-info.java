/**
 * Traces that record only the number of accelerators and the duration of each job. Such a job runs on exactly that many
 * slots, at the same speed on every type and placement.
 */
@NullMarked
package dev.spur.simulator.trace.rigid;

import org.jspecify.annotations.NullMarked;
