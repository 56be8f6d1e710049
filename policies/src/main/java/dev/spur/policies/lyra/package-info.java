/**
 * Lyra: base slots by job length, extra slots by a knapsack, and nodes that are loaned and reclaimed (Li et al.,
 * EuroSys '23).
 */
@NullMarked
package dev.spur.policies.lyra;

import org.jspecify.annotations.NullMarked;
