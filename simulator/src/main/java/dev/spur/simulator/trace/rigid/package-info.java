/**
 * Traces that say of a job only how many accelerators it held for how long. Such a job runs on exactly that many slots,
 * equally fast on every type and placement.
 */
@NullMarked
package dev.spur.simulator.trace.rigid;

import org.jspecify.annotations.NullMarked;
