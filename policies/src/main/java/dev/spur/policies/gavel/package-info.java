/**
 * Gavel: shares of time on each accelerator type by linear programs, and rounds that keep to them (Narayanan et al.,
 * OSDI '20).
 */
@NullMarked
package dev.spur.policies.gavel;

import org.jspecify.annotations.NullMarked;
