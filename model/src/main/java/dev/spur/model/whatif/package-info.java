/**
 * Changes that somebody thinks about: each turns one problem into another. What-if questions and the search for what
 * would start a waiting job are lists of them. Nothing here solves, and nothing touches the state they are asked of.
 */
@NullMarked
package dev.spur.model.whatif;

import org.jspecify.annotations.NullMarked;
