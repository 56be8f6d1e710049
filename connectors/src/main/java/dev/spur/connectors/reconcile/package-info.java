/**
 * Reconciliation of a platform with the plan. Each sync compares the states, starts the permitted actions and verifies
 * the open ones. All state that must survive a crash is in the {@link dev.spur.connectors.reconcile.ActionLog}.
 */
@NullMarked
package dev.spur.connectors.reconcile;

import org.jspecify.annotations.NullMarked;
