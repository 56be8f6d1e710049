/**
 * Audit trail: one row per change, with its author. The row is written in the transaction of the change and never
 * modified.
 */
@NullMarked
package dev.spur.service.audit;

import org.jspecify.annotations.NullMarked;
