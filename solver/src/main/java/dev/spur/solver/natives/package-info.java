/** Loads the native library of OR-Tools, once, from files that are unpacked once. */
@NullMarked
package dev.spur.solver.natives;

import org.jspecify.annotations.NullMarked;
