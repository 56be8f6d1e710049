/**
 * Jobs with parameter servers whose speeds were measured, replayed under different ways to decide on slots and servers.
 */
@NullMarked
package dev.spur.benchmarks.aggregation;

import org.jspecify.annotations.NullMarked;
