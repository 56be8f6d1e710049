/**
 * Brings a platform to what a plan says, one look at a time: compare, begin what may begin, look again. All that must outlive a
 * crash goes through {@link dev.spur.connectors.engine.ActionLog}.
 */
@NullMarked
package dev.spur.connectors.engine;

import org.jspecify.annotations.NullMarked;
