/** Reconciliation of observed and desired assignments as pure functions. */
@NullMarked
package dev.spur.agent.reconcile;

import org.jspecify.annotations.NullMarked;
