/**
 * Brings a platform to what a plan says, one look at a time: compare, begin what may begin, look again. All that must
 * outlive a crash goes through {@link dev.spur.connectors.reconcile.ActionLog}.
 */
@NullMarked
package dev.spur.connectors.reconcile;

import org.jspecify.annotations.NullMarked;
