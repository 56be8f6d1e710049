/** Workloads of the benchmark of the self-audit. */
@NullMarked
package dev.spur.benchmarks.audit;

import org.jspecify.annotations.NullMarked;
