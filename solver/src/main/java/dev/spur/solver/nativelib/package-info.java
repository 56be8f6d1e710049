/** Loads the native library of OR-Tools, once, from files that are unpacked once. */
@NullMarked
package dev.spur.solver.nativelib;

import org.jspecify.annotations.NullMarked;
