/**
 * Outcomes of a cluster for its tenants: delays, completion times, efficiency and utilization, from the history in the
 * database. Nothing here changes a plan.
 */
@NullMarked
package dev.spur.service.outcomes;

import org.jspecify.annotations.NullMarked;
