/**
 * Jobs with parameter servers and measured speeds, replayed under joint and sequential decisions on slots and servers.
 */
@NullMarked
package dev.spur.benchmarks.aggregation;

import org.jspecify.annotations.NullMarked;
