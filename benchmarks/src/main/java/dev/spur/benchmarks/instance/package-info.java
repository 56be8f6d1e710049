/** Instances generated from seeds, for benchmarks at sizes without a recorded workload. */
@NullMarked
package dev.spur.benchmarks.instance;

import org.jspecify.annotations.NullMarked;
