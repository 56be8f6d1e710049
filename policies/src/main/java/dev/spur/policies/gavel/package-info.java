/**
 * Gavel: time shares on each accelerator type by linear programs, and rounds that realize them (Narayanan et al., OSDI
 * '20).
 */
@NullMarked
package dev.spur.policies.gavel;

import org.jspecify.annotations.NullMarked;
