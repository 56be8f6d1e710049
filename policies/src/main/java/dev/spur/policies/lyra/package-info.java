/**
 * Lyra: base slots by length, extra slots by a knapsack, and nodes that are lent and called back (Li et al., EuroSys
 * '23).
 */
@NullMarked
package dev.spur.policies.lyra;

import org.jspecify.annotations.NullMarked;
