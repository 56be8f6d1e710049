/**
 * Determined AI, through the REST API of its master. What the master does is said where it matters; it was read in the
 * source of 0.38 and never seen on a real one.
 */
@NullMarked
package dev.spur.connectors.determined;

import org.jspecify.annotations.NullMarked;
