/** Self-audit: what a schedule lost against a better informed or less restricted one, by cause. */
@NullMarked
package dev.spur.simulator.audit;

import org.jspecify.annotations.NullMarked;
