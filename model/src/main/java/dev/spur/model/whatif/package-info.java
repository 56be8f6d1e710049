/**
 * Hypothetical changes, each of which turns one problem into another. What-if questions and the search for changes that
 * start a waiting job use lists of them. Nothing here solves a problem or changes the stored state.
 */
@NullMarked
package dev.spur.model.whatif;

import org.jspecify.annotations.NullMarked;
