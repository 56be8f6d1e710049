/**
 * Readers of measured profiles and recorded workloads as their authors publish them. The files stay with their users: the
 * setting {@code SPUR_DATA} says where they are.
 */
@NullMarked
package dev.spur.benchmarks.data;

import org.jspecify.annotations.NullMarked;
